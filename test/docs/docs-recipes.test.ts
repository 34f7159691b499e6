import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { githubWorkflow, gitlabJobs, holds } from '../support/site/host-recipes.ts';

const page = await readFile(fileURLToPath(new URL('../../docs/usage.md', import.meta.url)), 'utf8');

const push = { GITHUB_EVENT_NAME: 'push', GITHUB_REF: 'refs/heads/main' };
const pull = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_REF: 'refs/pull/7/merge' };

describe('the workflow for GitHub Actions', () => {
  const { on, permissions, concurrency, jobs } = githubWorkflow(page);
  const { steps, env } = jobs.site;
  const using = (action: string) =>
    steps.flatMap((step) => ('uses' in step && step.uses.startsWith(`${action}@`) ? [step] : []));
  const [restore] = using('actions/cache/restore');
  const [save] = using('actions/cache/save');
  const report = steps.find((step) => 'run' in step && step.run.includes('media-asset report'));

  test('may read the repository, and nothing else', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  test('runs once at a time for a branch, and cancels no run that is sending', () => {
    expect(concurrency.group).toMatch(/^site-\$\{\{ github\.ref \}\}$/);
    expect(concurrency['cancel-in-progress']).toBe(false);
  });

  test('reports the default branch alone', () => {
    expect(on.push.branches).toEqual(['main']);
    const may = (variables: object) => holds(report?.if ?? 'true', { ...variables });
    expect(may(push)).toBe(true);
    expect(may({ ...push, GITHUB_EVENT_NAME: 'schedule' })).toBe(true);
    expect(may(pull)).toBe(false);
    expect(may({ ...push, GITHUB_REF: 'refs/heads/spring' })).toBe(false);
  });

  test('keeps the ledger: each run and attempt saves a new cache, the newest is restored', () => {
    const { key } = save?.with ?? {};
    expect(key).toMatch(/^media-asset-\$\{\{ github\.run_id \}\}-\$\{\{ github\.run_attempt \}\}$/);
    expect(String(key).startsWith(String(restore?.with?.['restore-keys']))).toBe(true);
    expect(restore?.with?.key).toBe(key);
    expect(restore?.with?.path).toBe(save?.with?.path);
    expect(String(save?.with?.path).split('\n')).toContain('.media-asset');
  });

  test('saves the ledger after a failed report too, and never from a pull request', () => {
    expect(save?.if).toMatch(/^always\(\) && /);
    expect(holds(save?.if ?? '', push)).toBe(true);
    expect(holds(save?.if ?? '', pull)).toBe(false);
    expect(steps.indexOf(save as never)).toBeGreaterThan(steps.indexOf(report as never));
  });

  test('takes all credentials from secrets: a pull request without secrets has no part of them', () => {
    const hidden = Object.entries(env).filter(([name]) => /CLIENT|TOKEN/.test(name));
    expect(hidden).toHaveLength(3);
    for (const [name, value] of hidden) expect(value).toBe(`\${{ secrets.${name} }}`);
  });
});

describe('the pipeline for GitLab', () => {
  const { review, site } = gitlabJobs(page);

  test('reports in the job of the default branch alone, one at a time', () => {
    const reports = (script: readonly string[] = []) =>
      script.some((line) => line.includes('media-asset report'));
    expect(reports(site?.script)).toBe(true);
    expect(reports(review?.script)).toBe(false);
    expect(site?.rules).toEqual([{ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }]);
    expect(site?.resource_group).toBeTruthy();
  });

  test('keeps the ledger from the job that reports, whatever its end, and from no other', () => {
    expect(site?.cache).toMatchObject({ policy: 'pull-push', when: 'always' });
    expect(review?.cache).toMatchObject({ policy: 'pull', key: site?.cache?.key });
    expect(site?.cache?.paths).toContain('.media-asset/');
  });
});
