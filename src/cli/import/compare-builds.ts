import type { Element } from 'hast';
import { compare } from '../../errors/compare.ts';
import { textOf } from '../../scan/read/page-element.ts';
import { decodePage, pageElements } from '../../scan/read/read-page.ts';

/** What people and other programs see in a built file, by kind, with each value as often as it's there. */
type ShownFacts = Readonly<Record<string, readonly string[]>>;

/** The facts of built files, by path. */
export type BuildFacts = ReadonlyMap<string, ShownFacts>;

export interface Difference {
  readonly file: string;
  /** Such as `images` and `og:image`. */
  readonly kind: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** An object that code has made a text of, as themes do with an image that's now an asset. */
const objects = /\[object \w+\]/g;

export function readFacts(file: string, bytes: Uint8Array): ShownFacts {
  const { text } = decodePage(bytes);
  const broken = text.match(objects) ?? [];
  if (!file.endsWith('.html')) {
    // Feeds and data. The name of an image is another one after the import, with other sizes.
    const images = text.match(/\.(?:avif|gif|jpe?g|png|tiff|webp)\b(?! \d)/gi)?.map(() => 'a file');
    const enclosures = text.match(/<enclosure\b/g) ?? [];
    return { 'broken values': broken, images: images ?? [], enclosures };
  }
  const elements = pageElements({ html: text, page: '' }).map(({ element }) => element);
  const named = (tag: string) => elements.filter(({ tagName }) => tagName === tag);
  const pictures = named('picture');
  const value = ({ properties }: Element, name: string) => String(properties[name] ?? '');
  const structured = named('script').filter(
    (script) => value(script, 'type') === 'application/ld+json',
  );
  return {
    'broken values': broken,
    images: named('img').map((image) => {
      const size = [value(image, 'width'), value(image, 'height')].filter(Boolean).join(' × ');
      // CSS such as `p > img` depends on it.
      const parent = pictures.some(({ children }) => children.includes(image)) && 'in <picture>';
      return [JSON.stringify(value(image, 'alt')), size, parent].filter(Boolean).join(', ');
    }),
    'og:image': named('meta')
      .filter((meta) =>
        /^(?:og|twitter):image$/.test(value(meta, 'property') || value(meta, 'name')),
      )
      .map((meta) => (value(meta, 'content') ? 'a URL' : 'empty')),
    'images in JSON-LD': structured.flatMap((script) => textOf(script).match(/"image"\s*:/g) ?? []),
    IDs: elements.map((element) => value(element, 'id')).filter(Boolean),
  };
}

/** What differs after an import, and doesn't between two builds of the same sources. */
export function compareBuilds(
  [first, second]: readonly [BuildFacts, BuildFacts],
  after: BuildFacts,
): Difference[] {
  const own = new Set(differences(first, second).map(({ file, kind }) => `${kind} ${file}`));
  return differences(second, after).filter(({ file, kind }) => !own.has(`${kind} ${file}`));
}

function differences(before: BuildFacts, after: BuildFacts): Difference[] {
  const files = [...new Set([...before.keys(), ...after.keys()])].sort(compare);
  return files.flatMap((file): Difference[] => {
    const [old, now] = [before.get(file), after.get(file)];
    if (!old || !now) {
      const is = (facts: ShownFacts | undefined) => (facts ? ['built'] : []);
      return [{ file, kind: 'the file', before: is(old), after: is(now) }];
    }
    return Object.keys(old).flatMap((kind) => {
      const lost = without(old[kind] ?? [], now[kind] ?? []);
      const added = without(now[kind] ?? [], old[kind] ?? []);
      return lost.length + added.length > 0 ? [{ file, kind, before: lost, after: added }] : [];
    });
  });
}

function without(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
