import type { Nodes } from 'hast';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { findRenditions } from '../src/assets/formats/rendition-url.ts';
import { readIds } from '../src/scan/extract/asset-url.ts';

/** The IDs of the assets that a page's elements name. */
export type ScanPeer = (html: string) => Set<number>;

/** Loads a parser and returns the plain way to scan with it: the whole page, every attribute. */
export const scanPeers = {
  async 'rehype-parse'(): Promise<ScanPeer> {
    const { unified } = await import('unified');
    const { default: rehypeParse } = await import('rehype-parse');
    const parser = unified().use(rehypeParse).freeze();
    return (html) => {
      const ids = new Set<number>();
      const walk = (node: Nodes) => {
        if (!('children' in node)) return;
        if (node.type === 'element') {
          for (const [name, value] of Object.entries(node.properties)) {
            if (typeof value === 'string') add(ids, idsIn(value, name === 'dataMediaAsset'));
          }
          const [text] = node.children;
          if (node.properties.type === jsonLd && text?.type === 'text') add(ids, idsIn(text.value));
        }
        for (const child of node.children) walk(child);
      };
      walk(parser.parse(html));
      return ids;
    };
  },

  async parse5(): Promise<ScanPeer> {
    const { parse } = await import('parse5');
    return (html) => {
      const ids = new Set<number>();
      const walk = (node: DefaultTreeAdapterTypes.Node) => {
        if (!('childNodes' in node)) return;
        if ('attrs' in node) {
          for (const { name, value } of node.attrs) {
            add(ids, idsIn(value, name === 'data-media-asset'));
          }
          const [text] = node.childNodes;
          const isData = node.attrs.some(({ name, value }) => name === 'type' && value === jsonLd);
          if (isData && text && 'value' in text) add(ids, idsIn(text.value));
        }
        for (const child of node.childNodes) walk(child);
      };
      walk(parse(html));
      return ids;
    };
  },

  async htmlparser2(): Promise<ScanPeer> {
    const { Parser } = await import('htmlparser2');
    return (html) => {
      const ids = new Set<number>();
      let isData = false;
      const parser = new Parser({
        onopentag(_, attributes) {
          for (const [name, value] of Object.entries(attributes)) {
            add(ids, idsIn(value, name === 'data-media-asset'));
          }
          if (attributes.type === jsonLd) isData = true;
        },
        ontext(text) {
          if (isData) add(ids, idsIn(text));
        },
        onclosetag(name) {
          if (name === 'script') isData = false;
        },
      });
      parser.end(html);
      return ids;
    };
  },
};

const jsonLd = 'application/ld+json';

function idsIn(value: string, isMark = false): readonly number[] {
  if (isMark) return readIds(value).ids;
  return value.includes('media-asset/') ? findRenditions(value).map(({ id }) => id) : [];
}

function add(all: Set<number>, ids: readonly number[]): void {
  for (const id of ids) all.add(id);
}
