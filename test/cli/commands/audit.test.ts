import { escapeUTF8 as escapeHtml } from 'entities/escape';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const folder = useBuiltFolder();

const site = ['--site', 'https://harbour.example'];
const audit = (...words: string[]) => folder.command(['audit', 'dist', ...site, ...words]);
const data = async (...words: string[]) => JSON.parse((await audit('--json', ...words)).stdout);
const page = (body: string, file = 'index.html') =>
  folder.write(`dist/${file}`, `<!doctype html><html lang="en"><title>Harbour</title>${body}`);
const image = (id: number, rest = '') => `<img data-media-asset="${id}" ${rest}>`;

describe('without a cache and without a service', () => {
  test('lists the problems that pages show by themselves, with their pages', async () => {
    await page(image(4711) + image(4712, 'alt="DSC_0042"'));
    await page(image(4712, 'alt="DSC_0042"'), 'ferry/index.html');
    const { exitCode, stdout, stderr } = await audit();
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `alt-missing: There is no alt text. Decoration needs an empty one.
    id  language  pages
  4711  en        /

alt-is-file-name: The alt text is a file name.
    id  language  what      pages
  4712  en        DSC_0042  /, /ferry/

2 assets, shown 3 times: 3 times with problems.
`,
    });
    expect(stderr).toContain(
      'notice Not all images could be checked for missing-credit, rights-forbidden,',
    );
  });

  test('a check of --fail-on that finds something ends with 1', async () => {
    await page(image(4711));
    expect(await audit('--fail-on', 'alt-too-long, alt-missing')).toMatchObject({ exitCode: 1 });
    expect(await audit('--fail-on', 'alt-too-long')).toMatchObject({ exitCode: 0 });
    const repeated = ['--fail-on', 'alt-missing', '--fail-on', 'alt-too-long'];
    expect(await audit(...repeated)).toMatchObject({ exitCode: 1 });
  });

  test('one that lacks something ends with 3, and never passes', async () => {
    await page(image(4711, 'alt=""'));
    const { exitCode, stderr } = await audit('--fail-on', 'missing-credit');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('error Not all images could be checked for missing-credit.');
    expect(stderr).toContain('[audit-incomplete]');
    expect(await audit('--fail-on', 'missing-credit,alt-missing')).toMatchObject({ exitCode: 3 });
  });

  test.each(['alt-mising', 'alt-missing,'])('no check is called %j', async (names) => {
    const { exitCode, stderr } = await audit('--fail-on', names);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("isn't a check. Checks: alt-missing, alt-is-file-name, ");
  });

  test('prints data with --json', async () => {
    await page(image(4711, 'alt=""'));
    expect(await data()).toMatchObject({
      version: 1,
      images: [
        {
          ...{ id: 4711, name: null, page: 'https://harbour.example/', language: 'en' },
          ...{ as: 'image', alt: '', credit: null, credited: null, rights: null, until: null },
          problems: [],
          unchecked: expect.arrayContaining(['missing-credit', 'rights-unknown']),
        },
      ],
      counts: { images: 1, problems: { 'alt-missing': 0 }, unchecked: { 'missing-credit': 1 } },
    });
  });

  test('prints CSV that spreadsheets open as text', async () => {
    await page(
      image(-4711, `alt='=HYPERLINK("https://evil.example")'`) +
        image(4712, 'alt="a;=1; &quot;=2"'),
    );
    await page(image(4713, 'alt="#, &quot;\n@x"'), 'ferry/index.html');
    const { stdout } = await audit('--csv');
    const [header, ...lines] = stdout.split('\r\n');
    expect(header).toMatch(/^\uFEFF"id","name","page","language","as","alt",/);
    const start = (id: number, path: string) =>
      `${id},"","https://harbour.example${path}","en","image",`;
    expect(lines).toEqual([
      expect.stringContaining(`${start(-4711, '/')}"'=HYPERLINK(""https://evil.example"")",`),
      expect.stringContaining(`${start(4712, '/')}"a;'=1; ""'=2",`),
      expect.stringContaining(`${start(4713, '/ferry/')}"#, "" @x",`),
      '',
    ]);
    expect(await audit('--csv', '--json')).toMatchObject({ exitCode: 2 });
  });
});

test('any text is one cell of CSV, and no formula', async () => {
  const risky = fc.constantFrom(...'=+-@",;\t\' ＝', '\r\n', '::a::');
  const text = fc
    .array(fc.oneof(risky, fc.string({ unit: 'grapheme' })))
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (alts) => {
      const images = alts.map((alt) => image(4711, `alt="${escapeHtml(alt)}"`));
      await page(images.join(''));
      const { stdout } = await audit('--csv');
      const cells = [...stdout.slice(1).matchAll(/("(?:[^"]|"")*"|\d*)(?:,|\r\n)/gy)];
      expect(cells.map(([whole]) => whole).join('')).toBe(stdout.slice(1));
      expect(cells).toHaveLength((alts.length + 1) * 14);
      for (const [, cell] of cells) expect(cell).not.toMatch(/(^|[;\t\r\n])[\s"]*[=+\-@＝＋－＠]/);
    }),
    { numRuns: 50 },
  );
});

test('assets that no image element shows are listed too', async () => {
  await page(
    '<video data-media-asset="4711"></video><noscript><img data-media-asset="4712"></noscript>',
  );
  const { images } = await data();
  expect(images.map(({ id, as }: { id: number; as: string }) => [id, as])).toEqual([
    [4712, 'image'],
    [4711, 'other'],
  ]);
});

test('images without a mark are found by their URLs', async () => {
  const file = (id: number) =>
    `/_astro/media-asset/${id}-0123456789abcdef-0123456789abcdef-quay.webp`;
  await page(
    `<img src="${file(4711)}" alt=""><picture><source srcset="${file(4712)}"><img alt=""></picture>`,
  );
  const { images } = await data();
  expect(images).toMatchObject([
    { id: 4711, as: 'image' },
    { id: 4712, as: 'image' },
  ]);
});

test('text of pages prints on one line, and gives no command to a CI host', async () => {
  await page(image(4711, 'alt="::error::\u001b[2Jx_y.jpg"'));
  const { stdout } = await audit();
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toContain('::error:: [2Jx_y.jpg  /');
  expect((await audit('--csv')).stdout).not.toMatch(/^::/m);
});

test('a long text is cut in the text, and whole in the data', async () => {
  await page(image(4711, `alt="${'🚢'.repeat(300)}"`));
  expect((await audit()).stdout).toContain(`  en        ${'🚢'.repeat(59)}…  /\n`);
  expect((await data()).images).toMatchObject([{ alt: '🚢'.repeat(300) }]);
});

test('excluded pages are left out, as in a scan', async () => {
  await page(image(4711));
  await page(image(4712), 'drafts/one/index.html');
  const { images } = await data('--exclude', '/drafts/**');
  expect(images).toMatchObject([{ id: 4711 }]);
});

test('a site without assets has no problem', async () => {
  await page('<img src="/quay.jpg">');
  expect(await audit()).toMatchObject({
    exitCode: 0,
    stdout: 'No page shows an asset.\n',
    stderr: '',
  });
});
