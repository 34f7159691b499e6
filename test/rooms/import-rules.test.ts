import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** By file: its imports, each a file below `src/` or a package. */
const forbidden: [file: string, imported: string][] = [
  ['service/http/send.ts', 'assets/assets.ts'],
  ['service/http/send.ts', 'scan/scan-page.ts'],
  ['service/http/send.ts', 'astro/open-site.ts'],
  ['service/http/send.ts', 'cli/main.ts'],
  ['service/http/send.ts', 'emulator/index.ts'],
  ['service/http/send.ts', 'astro'],
  ['service/http/send.ts', 'sharp'],
  ['service/http/send.ts', 'rehype-parse'],
  ['assets/assets.ts', 'scan/scan-page.ts'],
  ['assets/assets.ts', 'usage/plan/plan-usage.ts'],
  ['assets/assets.ts', 'astro/open-site.ts'],
  ['assets/assets.ts', 'cli/main.ts'],
  ['assets/assets.ts', 'emulator/index.ts'],
  ['assets/assets.ts', 'astro'],
  ['assets/geometry/crop.ts', 'assets/formats/source.ts'],
  ['assets/geometry/crop.ts', 'assets/request/parse.ts'],
  ['assets/store/store.ts', 'assets/sources/download.ts'],
  ['assets/sources/download.ts', 'assets/renditions/emit.ts'],
  ['scan/scan-page.ts', 'assets/assets.ts'],
  ['scan/scan-page.ts', 'usage/plan/plan-usage.ts'],
  ['scan/scan-page.ts', 'service/index.ts'],
  ['scan/scan-page.ts', 'storage/file-lock.ts'],
  ['scan/scan-page.ts', 'astro/open-site.ts'],
  ['scan/scan-page.ts', 'sharp'],
  ['usage/run-usages.ts', 'assets/assets.ts'],
  ['usage/run-usages.ts', 'rehype-parse'],
  ['usage/run-usages.ts', 'astro/open-site.ts'],
  ['usage/run-usages.ts', 'cli/main.ts'],
  ['usage/run-usages.ts', 'emulator/index.ts'],
  ['usage/run-usages.ts', 'sharp'],
  ['usage/run-usages.ts', 'astro'],
  ['usage/ledger/ledger.ts', 'usage/plan/plan-usage.ts'],
  ['usage/plan/plan-usage.ts', 'usage/report/report-usage.ts'],
  ['authoring/toolbar/library.ts', 'astro/open-site.ts'],
  ['authoring/source/source-places.ts', 'scan/scan-page.ts'],
  ['authoring/crop-editor/crop-editor.ts', 'service/types.ts'],
  ['authoring/library/library.ts', 'authoring/toolbar/app/open-app.ts'],
  ['authoring/library/session.ts', 'service/types.ts'],
  ['astro/open-site.ts', 'cli/main.ts'],
  ['astro/open-site.ts', 'emulator/index.ts'],
  ['astro/open-site.ts', 'sharp'],
  ['cli/main.ts', 'astro/open-site.ts'],
  ['cli/main.ts', 'astro'],
  ['emulator/index.ts', 'service/index.ts'],
  ['emulator/index.ts', 'assets/formats/rendition-url.ts'],
  ['emulator/index.ts', 'config/options.ts'],
  ['emulator/index.ts', 'storage/file-lock.ts'],
  ['storage/file-lock.ts', 'usage/ledger/ledger.ts'],
  ['storage/file-lock.ts', 'service/index.ts'],
  ['config/options.ts', 'assets/formats/rendition.ts'],
  ['errors/errors.ts', 'storage/file-lock.ts'],
];

const allowed: [file: string, imported: string][] = [
  ['service/http/send.ts', 'errors/errors.ts'],
  ['service/http/send.ts', 'storage/file-lock.ts'],
  ['usage/run-usages.ts', 'storage/file-lock.ts'],
  ['usage/run-usages.ts', 'service/types.ts'],
  ['usage/run-usages.ts', 'assets/formats/rendition-url.ts'],
  ['usage/run-usages.ts', 'scan/manifest.ts'],
  ['usage/report/report-usage.ts', 'usage/plan/plan-usage.ts'],
  ['storage/file-lock.ts', 'errors/errors.ts'],
  ['assets/assets.ts', 'service/types.ts'],
  ['assets/formats/sharp.ts', 'sharp'],
  ['assets/sources/fetch.ts', 'assets/store/catalogue.ts'],
  ['scan/scan-page.ts', 'assets/formats/rendition-url.ts'],
  ['scan/scan-page.ts', 'rehype-parse'],
  ['astro/open-site.ts', 'assets/assets.ts'],
  ['astro/open-site.ts', 'astro'],
  ['astro/open-site.ts', 'authoring/toolbar/toolbar-server.ts'],
  ['authoring/toolbar/library.ts', 'assets/assets.ts'],
  ['authoring/crop-editor/crop-editor.ts', 'assets/geometry/crop.ts'],
  ['cli/main.ts', 'scan/scan-site.ts'],
  ['cli/main.ts', 'emulator/index.ts'],
  ['emulator/index.ts', 'errors/errors.ts'],
  ['config/options.ts', 'errors/errors.ts'],
];

let refused: Set<string>;
let circles: number;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'import-rules-'));
  try {
    await copyFile(join(root, '.dependency-cruiser.js'), join(folder, '.dependency-cruiser.mjs'));
    const imports = Map.groupBy([...forbidden, ...allowed], ([file]) => file);
    for (const [, imported] of [...forbidden, ...allowed]) {
      if (imported.includes('/') && !imports.has(imported)) imports.set(imported, []);
    }
    imports.set('astro/one.ts', [['astro/one.ts', 'astro/other.ts']]);
    imports.set('astro/other.ts', [['astro/other.ts', 'astro/one.ts']]);
    for (const [file, all] of imports) {
      const path = join(folder, 'src', file);
      await mkdir(dirname(path), { recursive: true });
      const up = '../'.repeat(file.split('/').length - 1) || './';
      const lines = all.map(([, name]) =>
        name.includes('/') ? `import type {} from '${up}${name}';` : `import '${name}';`,
      );
      await writeFile(path, lines.join('\n'));
    }
    const violations = await cruise(folder);
    refused = new Set(violations.map(({ from, to }) => `${from} ${to}`));
    circles = violations.filter(({ rule }) => rule.name === 'no-circle').length;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);

describe('rooms import only what the design allows', () => {
  test.each(forbidden)('%s may not import %s', (file, imported) => {
    expect(refused).toContain(edge(file, imported));
  });

  test.each(allowed)('%s may import %s', (file, imported) => {
    expect(refused).not.toContain(edge(file, imported));
  });
});

test('a circle is refused, including types', () => {
  expect(circles).toBeGreaterThan(0);
});

function edge(file: string, imported: string): string {
  return `src/${file} ${imported.includes('/') ? `src/${imported}` : imported}`;
}

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

async function cruise(folder: string): Promise<Violation[]> {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const words = [program, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'src'];
  const output = await new Promise<string>((resolve) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, words, options, (_, stdout) => resolve(stdout));
  });
  return (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations;
}
