import type { Element as HastElement, Nodes } from 'hast';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { findRenditions } from '../src/assets/formats/rendition-url.ts';
import { readIds } from '../src/scan/extract/asset-url.ts';

/**
 * Counts the elements of a page that name each asset. A `picture` with its children counts as one.
 */
export type ScanPeer = (html: string) => Map<number, number>;

/** Loads a parser and returns the plain way to scan with it: the whole page, every attribute. */
export const scanPeers = {
  async 'rehype-parse'(): Promise<ScanPeer> {
    const { unified } = await import('unified');
    const { default: rehypeParse } = await import('rehype-parse');
    const parser = unified().use(rehypeParse).freeze();
    return (html) => {
      const tally = createTally();
      const walk = (node: Nodes, picture?: HastElement) => {
        if (!('children' in node)) return;
        const isElement = node.type === 'element';
        const shownBy = picture ?? (isElement && node.tagName === 'picture' ? node : undefined);
        if (isElement) {
          for (const [name, value] of Object.entries(node.properties)) {
            if (typeof value !== 'string') continue;
            tally(shownBy ?? node, name === 'dataMediaAsset' ? readIds(value).ids : idsIn(value));
          }
          const [text] = node.children;
          if (node.properties.type === jsonLd && text?.type === 'text') {
            tally(node, idsIn(text.value));
          }
        }
        for (const child of node.children) walk(child, shownBy);
      };
      walk(parser.parse(html));
      return tally.counts();
    };
  },

  async parse5(): Promise<ScanPeer> {
    const { parse } = await import('parse5');
    return (html) => {
      const tally = createTally();
      const walk = (node: DefaultTreeAdapterTypes.Node, picture?: object) => {
        if (!('childNodes' in node)) return;
        const shownBy = picture ?? (node.nodeName === 'picture' ? node : undefined);
        if ('attrs' in node) {
          for (const { name, value } of node.attrs) {
            tally(shownBy ?? node, name === 'data-media-asset' ? readIds(value).ids : idsIn(value));
          }
          const [text] = node.childNodes;
          const isData = node.attrs.some(({ name, value }) => name === 'type' && value === jsonLd);
          if (isData && text && 'value' in text) tally(node, idsIn(text.value));
        }
        for (const child of node.childNodes) walk(child, shownBy);
      };
      walk(parse(html));
      return tally.counts();
    };
  },

  async htmlparser2(): Promise<ScanPeer> {
    const { Parser } = await import('htmlparser2');
    return (html) => {
      const tally = createTally();
      let picture: object | undefined;
      let data: object | undefined;
      const parser = new Parser({
        onopentag(name, attributes) {
          if (name === 'picture') picture ??= attributes;
          for (const [name, value] of Object.entries(attributes)) {
            const ids = name === 'data-media-asset' ? readIds(value).ids : idsIn(value);
            tally(picture ?? attributes, ids);
          }
          if (attributes.type === jsonLd) data = attributes;
        },
        ontext(text) {
          if (data) tally(data, idsIn(text));
        },
        onclosetag(name) {
          if (name === 'picture') picture = undefined;
          if (name === 'script') data = undefined;
        },
      });
      parser.end(html);
      return tally.counts();
    };
  },
};

const jsonLd = 'application/ld+json';

function idsIn(value: string): number[] {
  return value.includes('media-asset/') ? findRenditions(value).map(({ id }) => id) : [];
}

function createTally() {
  const shown = new Map<number, Set<object>>();
  const tally = (shownBy: object, ids: readonly number[]) => {
    for (const id of ids) shown.set(id, (shown.get(id) ?? new Set()).add(shownBy));
  };
  tally.counts = () => new Map([...shown].map(([id, elements]) => [id, elements.size]));
  return tally;
}
