import { formatMediaAddress } from '../../assets/request/media-address.ts';
import { columnWidth, pageWidth } from '../../assets/request/parse-request.ts';
import type { Place } from '../../errors/place.ts';
import { placeAt } from '../../errors/place.ts';
import { type DataEntry, readData } from '../source/data-node.ts';
import { importLine } from '../source/edit/write-value.ts';
import { allNodes, type MarkdownNode, parseMarkdown, urlIn } from '../source/markdown-places.ts';
import type { SourceText } from '../source/source-file.ts';
import { type Edit, frontmatterRange, isMdx, type Range } from '../source/source-text.ts';
import type { ChangedImage, ImportFile, ProjectImages } from './local-images.ts';

/** A Markdown or MDX file. */
export async function readContent(source: SourceText, project: ProjectImages): Promise<ImportFile> {
  const entries = readData(source)?.entries ?? [];
  const nodes = allNodes(await parseMarkdown(source));
  // Patterns look for a field by its name, in the frontmatter and in code.
  const names = entries.map(({ name }) => name).filter((name) => /^\w+$/.test(name));
  const inField = (field: string) => fieldImages(source, { entries, field, project });
  return {
    source,
    fields: names.filter((name) => inField(name).images.length > 0),
    changes: (fields, isMapped) => ({
      images: [
        ...fields.flatMap((field) => inField(field).images),
        ...(isMapped && isMdx(source.file) ? [] : markdownImages(source, { nodes, project })),
      ],
      edits: [],
    }),
    others: (field) => [...inField(field).others, ...mentionsInCode(source, { nodes, field })],
  };
}

function markdownImages(
  { file, text }: SourceText,
  { nodes, project }: { nodes: readonly MarkdownNode[]; project: ProjectImages },
): ChangedImage[] {
  const images = nodes.filter(({ type }) => type === 'image');
  return images.flatMap(({ url = '', alt, position: { start, end } }): ChangedImage[] => {
    const path = project.resolve(file, url);
    const at = urlIn(text.slice(start.offset, end.offset), url);
    if (!path || !at) return [];
    const range = { start: start.offset + at.start, end: start.offset + at.end };
    // Astro shows it in its own width.
    const own = Math.min(project.widths.get(path) ?? 0, pageWidth);
    const props = { decoration: !alt, width: own > columnWidth ? own : undefined };
    const replacement = (id: number) => formatMediaAddress({ id, ...props });
    return [{ path, ...range, alt: alt ?? '', replacement }];
  });
}

/** The images that a field of frontmatter names, and the places where it's another value. */
function fieldImages(
  source: SourceText,
  of: { entries: readonly DataEntry[]; field: string; project: ProjectImages },
): { images: ChangedImage[]; others: Place[] } {
  const { entries, field, project } = of;
  const { file, text } = source;
  const images = entries.flatMap(({ name, value: { literal, start, end } }): ChangedImage[] => {
    const url = name === field && literal?.value;
    const path = typeof url === 'string' && project.resolve(file, url);
    // A tag of YAML, or an anchor that others refer to, stays before the value.
    if (!path || /[!&]\S*[ \t]+$/.test(text.slice(0, start))) return [];
    const texts = [`${field}Alt`, `${field}_alt`, 'alt'].map(
      (key) => entries.find(({ name }) => name === key)?.value.literal?.value,
    );
    const alt = String(texts.find((text) => typeof text === 'string') ?? '');
    return [{ path, alt, start, end, replacement: (id) => `{ id: ${id} }` }];
  });
  const { start, end } = frontmatterRange(text) ?? { start: 0, end: 0 };
  const keys = [...text.slice(start, end).matchAll(new RegExp(`\\b${field}\\b["']?\\s*:`, 'g'))];
  if (keys.length === images.length) return { images, others: [] };
  return { images, others: [placeAt(source, start + (keys.at(-1)?.index ?? 0))] };
}

/** The places where the code of MDX, or a frontmatter that isn't YAML, can name a field. */
function mentionsInCode(
  source: SourceText,
  { nodes, field }: { nodes: readonly MarkdownNode[]; field: string },
): Place[] {
  const { file, text } = source;
  if (text.startsWith('+++')) return mentions(source, field);
  const code = isMdx(file) ? nodes.filter(({ type }) => type.startsWith('mdx')) : [];
  return code.flatMap(({ position: { start, end }, children: [child] = [] }) =>
    mentions(source, field, { start: start.offset, end: (child?.position.start ?? end).offset }),
  );
}

/** The first place of a name in a text, or in a part of it. */
function mentions(source: SourceText, name: string, part?: Range): Place[] {
  const { start, end } = part ?? { start: 0, end: source.text.length };
  const at = source.text.slice(start, end).search(new RegExp(`\\b${name}\\b`));
  return at < 0 ? [] : [placeAt(source, start + at)];
}

/** A loader of entries in a folder of the project, which Starlight's have in `src`, or another mention. */
const loaders =
  /\bloader:\s*(?:(?:glob\(\{[^()]*\bbase:\s*|file\()['"`](?:\.\/)?(?<folder>\w[^'"`$]*)['"`]|(?:docs|i18n)Loader\(\))|\b(?<other>loader)\b/g;

/** The folders and files of a config that entries are loaded from. */
export function loadedFrom({ text }: SourceText): string[] {
  return [...text.matchAll(loaders)].flatMap(({ groups }) => groups?.folder ?? []);
}

/** A file that doesn't change. Text outside of the site's folders reads no field. */
export function readCode(source: SourceText, isReader = true): ImportFile {
  return {
    source,
    changes: () => ({ images: [], edits: [] }),
    others: (field) => (isReader ? mentions(source, field) : []),
  };
}

const ownModule = 'astro-media-asset/schema';

/** The config of content collections, whose `image()` fields become assets. */
export function readConfig(source: SourceText): ImportFile {
  const { text } = source;
  const form = '(?:image\\(\\)|z\\.optional\\(image\\(\\)\\))(?:\\.optional\\(\\))?(?=\\s*[,}])';
  const plain = (field: string) => [...text.matchAll(new RegExp(`\\b${field}:\\s*${form}`, 'g'))];
  return {
    source,
    changes(fields) {
      const edits = fields.flatMap(plain).map(({ 0: whole, index }): Edit => {
        const start = index + whole.indexOf('image()');
        return { start, end: start + 'image()'.length, text: 'mediaAsset()' };
      });
      // Nothing else calls it.
      const isUnused = edits.length > 0 && edits.length === text.split('image()').length - 1;
      if (edits.length > 0 && !text.includes(ownModule)) {
        const start = Math.max(0, text.search(/^import\b/m));
        edits.push({ start, end: start, text: importLine(text, '{ mediaAsset }', ownModule) });
      }
      for (const { 0: given, index: start } of text.matchAll(/\(\{ image \}\)(?= *=>)/g))
        if (isUnused) edits.push({ start, end: start + given.length, text: '()' });
      return { images: [], edits };
    },
    others(field) {
      // A schema gets `image` as `({ image }) =>`, and calls it.
      const used = new RegExp(`\\b${field}\\b(?!\\(\\)|\\s*\\}\\)\\s*=>)`, 'g');
      const known = plain(field).map(({ index }) => index);
      const others = [
        ...[...text.matchAll(used)].filter(({ index }) => !known.includes(index)),
        ...[...text.matchAll(loaders)].filter(({ groups }) => groups?.other),
      ];
      return others.map(({ index }) => placeAt(source, index));
    },
  };
}
