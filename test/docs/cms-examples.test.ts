import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load as parseYaml } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { mediaAsset } from '../../src/astro/collections/schema.ts';
import { blockOf, blocksRunBy } from '../support/site/doc-blocks.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const read = (file: string) => readFile(join(examples, file), 'utf8');

/** Without the comment that names the file. */
const codeOf = (block: string) => block.replace(/^(?:\/\/|#) .*\n/, '').trim();

describe('the guide of CMSs', () => {
  test.each([
    ['decap/public/admin/config.yml', blockOf('guides/cms', 'decap config')],
    ['keystatic/keystatic.config.ts', blockOf('guides/cms', 'keystatic config')],
    ['keystatic/markdoc.config.mjs', blockOf('guides/cms', 'markdoc config')],
  ])('shows examples/%s', async (file, block) => {
    expect(codeOf(block)).toBe((await read(file)).trim());
  });

  test.each([
    ['decap/src/pages/admin/index.astro', 'src/pages/admin/index.astro'],
    ['keystatic/src/components/BodyImage.astro', 'src/components/BodyImage.astro'],
  ])('shows the component examples/%s', async (example, file) => {
    const [block] = blocksRunBy('site', 'guides/cms').filter((one) => one.file === file);
    const shown = block?.text.replace(/^\/\/ .*\n/m, '').replace(/^---\n---\n/, '');
    expect(shown?.trim()).toBe((await read(example)).trim());
  });

  test('has the integrations of examples/keystatic', async () => {
    const example = await read('keystatic/astro.config.mjs');
    const lines = codeOf(blockOf('guides/cms', 'astro config')).split('\n');
    expect(lines.filter((line) => !example.includes(line))).toEqual([]);
  });

  test('has a value that the schema reads', () => {
    const { hero } = parseYaml(blockOf('guides/cms', 'value')) as { hero: unknown };
    expect(mediaAsset({ alt: 'required' }).parse(hero)).toEqual(hero);
  });
});
