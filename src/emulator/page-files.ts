import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages load. */
export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Identifies the bytes. */
  readonly tag: string;
}

const types = {
  'page.css': 'text/css; charset=utf-8',
  'files.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** The pages' stylesheets, script and icon by name; they lie in `page/`, beside this module. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  return new Map(
    Object.entries(types).map(([name, type]) => {
      const bytes = new Uint8Array(readFileSync(new URL(`page/${name}`, import.meta.url)));
      return [name, { bytes, type, tag: createHash('sha256').update(bytes).digest('hex') }];
    }),
  );
}
