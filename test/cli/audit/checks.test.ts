import { describe, expect, test } from 'vitest';
import type { AuditedImage } from '../../../src/cli/audit/audit-pages.ts';
import { type CheckName, checkImages } from '../../../src/cli/audit/checks.ts';

/** An image without a problem. */
const right: AuditedImage = {
  ...{ id: 4711, name: 'harbour', page: 'https://harbour.example/', language: 'en', as: 'image' },
  ...{ alt: 'Two boats at the quay', credit: '© Ada Berg', credited: true, rights: 'allowed' },
  ...{ origin: '', labelled: false },
};

const without = (...names: (keyof AuditedImage)[]) =>
  Object.fromEntries(Object.entries(right).filter(([name]) => !names.some((one) => one === name)));

const trained = 'trainedAlgorithmicMedia';

const problemsOf = (...images: Partial<AuditedImage>[]) =>
  checkImages(images.map((image) => ({ ...right, ...image }))).map(({ details }) => details);

test('an image without a problem passes all checks', () => {
  expect(checkImages([right])).toMatchObject([{ problems: [], unchecked: [] }]);
});

describe.each<[CheckName, wrong: string[], right: string[]]>([
  [
    'alt-is-file-name',
    [
      ...['DSC_0042', 'IMG_2034.jpg', 'harbour at dawn.PNG', 'hafen_morgen-final2'],
      ...['20240131_123456', 'Screenshot 20240131 (2)'],
    ],
    [
      ...['Forget-me-not', 'Apollo 11', '1984', 'Boeing747', 'E=mc²', '日本の港', 'node.js'],
      'The file harbour.jpg is open in an editor',
    ],
  ],
  [
    'alt-starts-with-image-of',
    [
      ...['Image of a boat', 'photo of Ada', 'A picture of boats', 'Bild von einem Hafen'],
      ...['ein Foto eines Bootes', 'Photographie d’un port', "l'image de la mer"],
      ...[
        'foto del puerto',
        'Una foto della nave',
        'Imagem do mar',
        'Afbeelding van een boot',
        'bilde av havna',
      ],
    ],
    [
      ...['Bild der Woche', 'Photography of the twenties', 'Images often fade', 'Fotovoltaik'],
      ...['A painter with an image of a boat', 'Bild'],
    ],
  ],
  ['alt-too-long', ['a'.repeat(251)], ['a'.repeat(250), '🚢'.repeat(250)]],
])('%s', (check, wrong, right) => {
  test.each(wrong)('finds %s', (alt) => {
    expect(problemsOf({ alt })).toEqual([{ [check]: alt }]);
  });
  test.each([...right, ''])('passes %s', (alt) => {
    expect(problemsOf({ alt })).toEqual([{}]);
  });
});

test("a text in one word that equals the file's name is a file name", () => {
  const names = ['quay-2', 'quay'].map((name) => ({ name, alt: name }));
  expect(problemsOf(...names)).toEqual([{ 'alt-is-file-name': 'quay-2' }, {}]);
});

test.each<[string, Partial<AuditedImage>, object]>([
  ['a missing text', without('alt'), { 'alt-missing': '' }],
  ['an empty text', { alt: '' }, {}],
  ['a text from elsewhere', { ...without('alt'), needsNoAlt: true }, {}],
  ['a background', { ...without('alt'), as: 'other' }, {}],
  ['a page without the credit', { credited: false }, { 'missing-credit': '© Ada Berg' }],
  [
    'a record without one',
    { credited: false, credit: '' },
    { 'missing-credit': 'the record has no credit' },
  ],
  ['a file without one', { as: 'file', credited: false }, {}],
  ['forbidden', { rights: 'forbidden', until: '2026-01-31' }, { 'rights-forbidden': '2026-01-31' }],
  ['ending', { rights: 'ending', until: '2026-12-31' }, { 'rights-end-soon': '2026-12-31' }],
  ['unknown rights', { rights: 'unknown' }, { 'rights-unknown': '' }],
  ['generated', { origin: trained }, { 'generated-without-label': trained }],
  [
    'partly generated',
    { origin: 'compositeSynthetic' },
    { 'generated-without-label': 'compositeSynthetic' },
  ],
  ['generated, with a label', { origin: trained, labelled: true }, {}],
  ['a photograph', { origin: 'digitalCapture' }, {}],
  ['enhanced by an algorithm', { origin: 'algorithmicallyEnhanced' }, {}],
])('%s', (_, image, problems) => {
  const whole = 'page' in image ? image : { ...right, ...image };
  expect(checkImages([whole as AuditedImage])[0]?.details).toEqual(problems);
});

test.each<[string, [Partial<AuditedImage>, Partial<AuditedImage>], CheckName[]]>([
  [
    'the same text on two images',
    [{}, { id: 4712, alt: 'two boats at the QUAY' }],
    ['alt-repeated'],
  ],
  ['on one image', [{}, {}], []],
  ['in two languages', [{}, { language: 'de-CH' }], ['alt-same-in-two-languages']],
  ['in two countries', [{ language: 'en-GB' }, { language: 'EN-us' }], []],
  ['in two languages, but empty', [{ alt: '' }, { alt: '', language: 'de' }], []],
])('%s', (_, images, expected) => {
  const [one] = problemsOf(...images);
  expect(Object.keys(one ?? {})).toEqual(expected);
});

test('a check without what it needs is neither passed nor failed', () => {
  const image = without('credited', 'credit', 'rights', 'origin');
  expect(checkImages([image as unknown as AuditedImage])).toMatchObject([
    {
      problems: [],
      unchecked: [
        ...['missing-credit', 'rights-forbidden', 'rights-end-soon', 'rights-unknown'],
        'generated-without-label',
      ],
    },
  ]);
});

// Comparing each image with all others takes minutes, and a test may take one.
test('a text on every page of a large site takes no longer than others', () => {
  const images = Array.from({ length: 200_000 }, (_, index) => ({ ...right, id: index + 1 }));
  expect(checkImages(images)).toHaveLength(200_000);
});
