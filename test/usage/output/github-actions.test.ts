import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Finding, finding } from '../../../src/errors/errors.ts';
import { workflowCommand } from '../../../src/usage/output/github-actions.ts';
import { publishMarkdown } from '../../../src/usage/output/publish-markdown.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

describe('an annotation', () => {
  test('is a workflow command that names the code', () => {
    const details = { unsent: 3, reason: 'the service is away' };
    expect(workflowCommand(finding('warning', 'usage-unsent', details))).toBe(
      '::warning title=usage-unsent::3 usages unsent: the service is away Build or run the command again. If the service refuses an asset, fix it there or remove it. [usage-unsent]',
    );
  });

  test('is one line without a command from outside text', () => {
    const dir = 'a\n::error::100 %\r\nb';
    const command = workflowCommand(finding('warning', 'folder-missing', { dir }));
    expect(command).toContain('a%0A::error::100 %25%0D%0Ab');
    expect(command).not.toMatch(/[\n\r]/);
  });

  test("names the code once, even if an error's hint ends with it", () => {
    const found = { code: 'folder-missing', severity: 'error', message: 'M.' } as const;
    const command = workflowCommand({ ...found, hint: 'H. [folder-missing]' });
    expect(command).toBe('::error title=folder-missing::M. H. [folder-missing]');
  });
});

describe('the summary of a job', () => {
  /** Adds to the summary, and returns the findings. */
  async function append(markdown: string, path: string) {
    const findings: Finding[] = [];
    const onFinding = (found: Finding) => findings.push(found);
    await publishMarkdown(markdown, { environment: { GITHUB_STEP_SUMMARY: path }, onFinding });
    return findings;
  }

  test('grows with each step', async () => {
    const path = join(await temporaryFolder('summary'), 'summary.md');
    expect(await append('# one\n', path)).toEqual([]);
    expect(await append('# two\n', path)).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe('# one\n\n# two\n\n');
  });

  test("is a finding if it can't be written", async () => {
    const path = join(tmpdir(), 'no-such-folder', 'summary.md');
    expect(await append('# one', path)).toMatchObject([
      { code: 'file-unwritable', severity: 'warning', message: expect.stringContaining(path) },
    ]);
  });
});
