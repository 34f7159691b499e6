import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const forbidden: [room: string, imported: string][] = [
  ['service', '../images/images.ts'],
  ['service', '../scan/scan-page.ts'],
  ['service', '../astro/renderer.ts'],
  ['service', '../cli/scan.ts'],
  ['service', '../emulator/start-emulator.ts'],
  ['service', 'astro'],
  ['service', 'sharp'],
  ['service', 'rehype-parse'],
  ['images', '../scan/scan-page.ts'],
  ['images', '../astro/renderer.ts'],
  ['images', '../cli/scan.ts'],
  ['images', '../emulator/start-emulator.ts'],
  ['images', 'astro'],
  ['scan', '../images/images.ts'],
  ['scan', '../usage/plan-usage.ts'],
  ['scan', '../service/index.ts'],
  ['scan', '../storage/file-lock.ts'],
  ['scan', '../astro/renderer.ts'],
  ['scan', 'sharp'],
  ['images', '../usage/plan-usage.ts'],
  ['usage', '../images/images.ts'],
  ['usage', 'rehype-parse'],
  ['usage', '../astro/renderer.ts'],
  ['usage', '../cli/scan.ts'],
  ['usage', '../emulator/start-emulator.ts'],
  ['usage', 'sharp'],
  ['usage', 'astro'],
  ['astro', '../cli/scan.ts'],
  ['astro', '../emulator/start-emulator.ts'],
  ['astro', 'sharp'],
  ['cli', '../astro/renderer.ts'],
  ['cli', 'astro'],
  ['emulator', '../service/index.ts'],
  ['emulator', '../images/rendition-url.ts'],
  ['emulator', '../scan/manifest.ts'],
  ['emulator', '../astro/renderer.ts'],
  ['emulator', '../cli/scan.ts'],
  ['emulator', '../options.ts'],
  ['emulator', '../storage/file-lock.ts'],
  ['storage', '../usage/ledger.ts'],
  ['options', '../images/rendition.ts'],
  ['storage', '../service/index.ts'],
];

const allowed: [room: string, imported: string][] = [
  ['service', '../errors.ts'],
  ['service', '../storage/file-lock.ts'],
  ['usage', '../storage/file-lock.ts'],
  ['storage', '../errors.ts'],
  ['images', '../service/media-service.ts'],
  ['usage', '../service/media-service.ts'],
  ['usage', '../images/rendition-url.ts'],
  ['usage', '../scan/manifest.ts'],
  ['scan', '../images/rendition-url.ts'],
  ['scan', '../errors.ts'],
  ['astro', '../images/images.ts'],
  ['astro', '../scan/scan-site.ts'],
  ['cli', '../scan/scan-site.ts'],
  ['emulator', '../errors.ts'],
  ['options', '../errors.ts'],
];

const cases = [...forbidden, ...allowed];
let folder: string;
let refused: Set<string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-rules-'));
  await cp(join(root, 'biome.json'), join(folder, 'biome.json'));
  for (const [index, [room, imported]] of cases.entries()) {
    const file = join(folder, fileOf(room, index));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `import * as imported from '${imported}';\n\nexport { imported };\n`);
  }
  refused = await lint(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('rooms import only what the design allows', () => {
  test.each(forbidden)('%s may not import %s', (room, imported) => {
    expect(refused).toContain(
      fileOf(
        room,
        cases.findIndex((c) => c[0] === room && c[1] === imported),
      ),
    );
  });

  test.each(allowed)('%s may import %s', (room, imported) => {
    expect(refused).not.toContain(
      fileOf(
        room,
        cases.findIndex((c) => c[0] === room && c[1] === imported),
      ),
    );
  });
});

function fileOf(room: string, index: number): string {
  return `src/${room}/case-${index}.ts`;
}

/** The files that break the rule on imports. */
async function lint(dir: string): Promise<Set<string>> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const words = ['lint', '--reporter=json', '--vcs-enabled=false', '--max-diagnostics=none', '.'];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [biome, ...words], { cwd: dir }, (_, stdout) => resolve(stdout));
  });
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { category: string; location: { path: string | { file: string } } }[];
  };
  return new Set(
    diagnostics
      .filter(({ category }) => category === 'lint/style/noRestrictedImports')
      .map(({ location: { path } }) => (typeof path === 'string' ? path : path.file)),
  );
}
