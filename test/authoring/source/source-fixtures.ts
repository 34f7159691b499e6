import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssetChange } from '../../../src/authoring/toolbar/protocol.ts';

export interface SourceFixture {
  readonly name: string;
  readonly before: string;
  readonly change: AssetChange;
  readonly after?: string;
  /** An error's code and prop, or `none` if there's no place. */
  readonly refusal?: string;
}

const folder = join(import.meta.dirname, '../../../fixtures/source');
const components = "import { MediaAsset } from 'astro-media-asset/components';\n";

/** The cases of a file in `fixtures/source`, whose README has the format. */
export function readFixtures(file: string): SourceFixture[] {
  const cases = readFileSync(join(folder, file), 'utf8')
    .split(/^==== /m)
    .slice(1);
  return cases.map((text) => {
    const [, title = '', before = '', change = '', end = ''] =
      /^(.*)\n([\s\S]*?)^---- (.*)\n([\s\S]*)$/m.exec(text) ?? [];
    const refusal = /^!!!! (.*)\n/.exec(end)?.[1];
    const whole = (part: string) => {
      const imported = part.includes('import ') ? part : withImport(file, part);
      return title.startsWith('[CRLF]') ? imported.replaceAll('\n', '\r\n') : imported;
    };
    return {
      name: title,
      before: whole(before),
      change: JSON.parse(change),
      ...(refusal === undefined ? { after: whole(end) } : { refusal }),
    };
  });
}

function withImport(file: string, text: string): string {
  if (file === 'astro.txt') return `---\n${components}---\n${text}`;
  return text;
}
