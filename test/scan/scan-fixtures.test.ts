import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifestToJson } from '../../src/scan/manifest.ts';
import type { ScanRules } from '../../src/scan/page-url.ts';
import { scanSite } from '../../src/scan/scan-site.ts';

/** The content of `fixtures/html/<case>/expected.json`, written by hand from the rule. */
interface Expected {
  readonly rule: string;
  readonly build?: Partial<ScanRules>;
  readonly pages: Record<string, { pageName: string; assets: Record<string, number> }>;
  /** The codes, in order. */
  readonly findings: readonly string[];
}

const folder = join(import.meta.dirname, '../../fixtures/html');
const cases = readdirSync(folder).map((name) => {
  const dir = join(folder, name);
  const text = readFileSync(join(dir, 'expected.json'), 'utf8');
  return { name, dir, ...(JSON.parse(text) as Expected) };
});

describe('the scan', () => {
  test.each(cases)('$rule ($name)', async ({ dir, build, pages, findings }) => {
    const scan = await scanSite({
      dir,
      rules: {
        site: 'https://www.example.org',
        base: '/',
        format: 'directory',
        trailingSlash: 'ignore',
        exclude: [],
        service: 'https://media.example.org',
        ...build,
      },
    });

    const json = manifestToJson(scan);
    expect(json.pages).toEqual(pages);
    expect(json.findings.map(({ code }) => code)).toEqual(findings);
  });
});
