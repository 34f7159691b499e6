import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { blockOf } from '../support/site/doc-blocks.ts';
import {
  buildCommand,
  codeBlock,
  githubPagesRecipe,
  githubPagesWorkflow,
  githubWorkflow,
  gitlabJobs,
  guide,
  holds,
} from '../support/site/host-recipes.ts';

const github = await guide('ci-github');
const gitlab = await guide('ci-gitlab');

const push = { GITHUB_EVENT_NAME: 'push', GITHUB_REF: 'refs/heads/main' };
const pull = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_REF: 'refs/pull/7/merge' };

describe('the workflow for GitHub Actions', () => {
  const { on, permissions, concurrency, jobs } = githubWorkflow(github);
  const { steps, env } = jobs.site;
  const using = (action: string) =>
    steps.flatMap((step) => ('uses' in step && step.uses.startsWith(`${action}@`) ? [step] : []));
  const caching = (path: string) =>
    ['restore', 'save'].map((kind) =>
      using(`actions/cache/${kind}`).find((step) => step.with?.path === path),
    );
  const [restore, save] = caching('.media-asset');
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
    expect(key).toMatch(
      /^media-asset-ledger-\$\{\{ github\.run_id \}\}-\$\{\{ github\.run_attempt \}\}$/,
    );
    expect(String(key).startsWith(String(restore?.with?.['restore-keys']))).toBe(true);
    expect(restore?.with?.key).toBe(key);
  });

  test('saves the ledger after a failed report too, and never from a pull request', () => {
    expect(save?.if).toMatch(/^always\(\) && /);
    expect(holds(save?.if ?? '', push)).toBe(true);
    expect(holds(save?.if ?? '', pull)).toBe(false);
    expect(steps.indexOf(save as never)).toBeGreaterThan(steps.indexOf(report as never));
  });

  test('caches images apart from the ledger, and only in a private repository', () => {
    const images = caching('node_modules/.astro');
    for (const step of images) {
      expect(step?.with?.key).toMatch(/^media-asset-images-/);
      expect(holds(step?.if ?? 'true', push)).toBe(false);
      expect(holds(step?.if ?? 'true', push, { isPrivate: true })).toBe(true);
    }
    expect(holds(images[1]?.if ?? 'true', pull, { isPrivate: true })).toBe(false);
    const scheduled = { ...push, GITHUB_EVENT_NAME: 'schedule' };
    for (const step of images) expect(holds(step?.if ?? 'true', scheduled)).toBe(false);
    expect(holds(save?.if ?? 'true', scheduled)).toBe(true);
    const paths = steps.flatMap((step) => ('uses' in step ? [step.with?.path] : []));
    expect(paths.filter(Boolean)).toEqual([
      ...['.media-asset', 'node_modules/.astro', '.media-asset', 'node_modules/.astro'],
    ]);
  });

  test('gives secrets only to the steps that build and report', () => {
    expect(Object.keys(env)).toEqual(['MEDIA_ASSET_BASE_URL', 'MEDIA_ASSET_ALLOW_REMOVALS']);
    const given = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
    const scripts = given.map((step) => 'run' in step && step.run);
    expect(scripts).toEqual(['npx astro build', 'npx media-asset report dist --yes']);
    for (const step of given) {
      const secrets = Object.entries(('run' in step && step.env) || {});
      expect(secrets).toHaveLength(3);
      for (const [name, value] of secrets) expect(value).toBe(`\${{ secrets.${name} }}`);
    }
    expect(using('actions/checkout')[0]?.with).toEqual({ 'persist-credentials': false });
  });

  test('pins each action by commit hash, with its version in a comment', () => {
    const lines = github.split('\n').filter((line) => /^ +(- )?uses: /.test(line));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/uses: [\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });
});

describe('the workflow for GitHub Pages', () => {
  const { permissions, jobs } = githubPagesWorkflow(github);
  const scriptsFor = (variables: typeof push) =>
    githubPagesRecipe(github)
      .steps(variables)
      .flatMap((step) => (step.kind === 'run' ? [step.script] : [step.kind]));

  test('deploys what was built, then reports it and keeps the ledger', () => {
    expect(scriptsFor(push)).toEqual([
      ...['checkout', 'npm ci', 'restore', 'npx astro build', 'upload'],
      ...['checkout', 'npm ci', 'restore', 'download', 'npx media-asset report dist --yes', 'save'],
    ]);
    const uploaded = jobs.build.steps.find(
      (step) => 'uses' in step && step.uses.startsWith('actions/upload-pages-artifact@'),
    );
    expect(uploaded).toMatchObject({ with: { path: 'dist' } });
    expect(jobs.deploy.steps).toMatchObject([{ uses: expect.stringMatching(/deploy-pages@/) }]);
  });

  test('builds a pull request, and neither deploys nor reports it', () => {
    expect(scriptsFor(pull)).toEqual(['checkout', 'npm ci', 'restore', 'npx astro build']);
    for (const job of [jobs.deploy, jobs.report]) {
      expect(holds(job.if, push)).toBe(true);
      expect(holds(job.if, pull)).toBe(false);
    }
  });

  test('lets only the job without secrets write to Pages', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs.deploy.permissions).toEqual({ pages: 'write', 'id-token': 'write' });
    expect(JSON.stringify(jobs.deploy)).not.toContain('secrets.');
  });
});

describe('the pipeline for GitLab', () => {
  const { review, site } = gitlabJobs(gitlab);

  test('reports in the job of the default branch alone, one at a time', () => {
    const reports = (script: readonly string[] = []) =>
      script.some((line) => line.includes('media-asset report'));
    expect(reports(site?.script)).toBe(true);
    expect(reports(review?.script)).toBe(false);
    expect(site?.rules).toEqual([{ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }]);
    expect(site?.resource_group).toBeTruthy();
  });

  test('keeps the ledger of the reporting job, even if it fails, and of no other', () => {
    const ledger = (job: typeof site) =>
      job?.cache?.find(({ paths }) => paths.includes('.media-asset/'));
    expect(ledger(site)).toMatchObject({ paths: ['.media-asset/'], when: 'always' });
    expect(ledger(review)).toBeUndefined();
    expect(new Set(site?.cache?.map(({ key }) => key)).size).toBe(2);
  });
});

describe('held removals can be let pass where the ledger is', () => {
  /** The value of GitHub's expression, as the text that a step gets. */
  const inputOf = (expression = '', inputs: object) => {
    const script = /^\$\{\{ (.*) \}\}$/.exec(expression)?.[1]?.replace(/\.([\w-]+)/, "['$1']");
    return String(new Function('inputs', `return (${script}) ?? ''`)(inputs));
  };

  test.each([
    ['GitHub Actions', githubWorkflow(github).on, githubWorkflow(github).jobs.site.env],
    ['GitHub Pages', githubPagesWorkflow(github).on, githubPagesWorkflow(github).env],
  ] as const)('with an input: %s', (_, { workflow_dispatch }, env) => {
    const [name = '', ...others] = Object.keys(workflow_dispatch.inputs);
    expect(others).toEqual([]);
    const value = (inputs: object) => inputOf(env.MEDIA_ASSET_ALLOW_REMOVALS, inputs);
    expect(value({ [name]: true })).toBe('1');
    expect(value({ [name]: false })).not.toBe('1');
    expect(value({})).not.toBe('1');
  });

  test('with an input: GitLab', () => {
    const { variables } = parse(codeBlock(gitlab, 'yaml'));
    expect(variables.MEDIA_ASSET_ALLOW_REMOVALS).toMatchObject({
      value: '0',
      options: ['0', '1'],
      description: expect.any(String),
    });
  });

  test.each(['netlify', 'vercel', 'cloudflare'])('with a variable: %s', async (name) => {
    expect(await guide(`ci-${name}`)).toContain('`MEDIA_ASSET_ALLOW_REMOVALS` to `1`');
  });
});

test.each(['Netlify', 'Vercel', 'Cloudflare'] as const)(
  '%s builds with `astro build` alone',
  async (host) => {
    expect(buildCommand(await guide(`ci-${host.toLowerCase()}`), host)).toBe('npx astro build');
  },
);

describe('the schedules that watch assets', () => {
  /** Runs a script like a host, with an `npx` that ends with a code and notes its words. */
  async function runScript(script: string, watchEndsWith: number) {
    const folder = await mkdtemp(join(tmpdir(), 'watch-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const calls = join(folder, 'calls');
    const npx = `#!/bin/sh\necho "$@" >> ${calls}\ncase "$*" in *watch*) exit ${watchEndsWith};; esac\n`;
    await writeFile(join(folder, 'npx'), npx, { mode: 0o755 });
    await writeFile(join(folder, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
    const output = join(folder, 'output');
    const env = { PATH: `${folder}:${process.env.PATH}`, GITHUB_OUTPUT: output };
    const exitCode = await new Promise((resolve) =>
      execFile('bash', ['-eo', 'pipefail', '-c', script], { env }, (error) =>
        resolve(error?.code ?? 0),
      ),
    );
    const read = (path: string) => readFile(path, 'utf8').catch(() => '');
    return { exitCode, calls: (await read(calls)).trim().split('\n'), output: await read(output) };
  }

  test.each([
    ['nothing has changed', 0, { exitCode: 0, output: '' }],
    ['the site needs a build', 5, { exitCode: 0, output: 'rebuild=true\n' }],
    ['of an error', 1, { exitCode: 1, output: '' }],
  ])('on GitHub: because %s (%i)', async (_, code, expected) => {
    const { steps } = parse(blockOf('guides/takedown', 'github')).jobs.watch;
    const watch = steps.find(({ id }: { id?: string }) => id === 'watch');
    expect(await runScript(watch.run, code)).toMatchObject(expected);
    const trigger = steps.at(-1);
    expect(trigger).toMatchObject({
      if: 'steps.watch.outputs.rebuild',
      run: 'gh workflow run site.yml --ref main',
    });
  });

  test('on GitHub, may start workflows, and gives secrets to one step only', () => {
    const { permissions, jobs } = parse(blockOf('guides/takedown', 'github'));
    expect(permissions).toEqual({ contents: 'read', actions: 'write' });
    const withSecrets = jobs.watch.steps.filter((step: object) =>
      JSON.stringify(step).includes('secrets.'),
    );
    expect(withSecrets).toMatchObject([{ id: 'watch' }]);
  });

  test('on GitHub, restores the caches that the workflow of the site saves, with the same actions', () => {
    const pins = (text: string) => text.match(/uses: (?!.*\/save@).*/g) ?? [];
    const ofSite = new Set(pins(github));
    const block = blockOf('guides/takedown', 'github');
    expect(pins(block)).toHaveLength(4);
    expect(pins(block).filter((pin) => !ofSite.has(pin))).toEqual([]);
  });

  test.each([
    ['nothing has changed', 0, { exitCode: 0, calls: ['media-asset watch'] }],
    [
      'the site needs a build',
      5,
      {
        exitCode: 0,
        calls: ['media-asset watch', 'astro build', 'media-asset report dist --yes'],
      },
    ],
    ['of an error', 1, { exitCode: 1, calls: ['media-asset watch'] }],
  ])('on GitLab: because %s (%i)', async (_, code, expected) => {
    const { watch } = parse(blockOf('guides/takedown', 'gitlab'));
    expect(await runScript(watch.script.join('\n'), code)).toMatchObject(expected);
  });

  test('on GitLab, the schedule runs this job, and pushes run the other', () => {
    const { watch } = parse(blockOf('guides/takedown', 'gitlab'));
    const { rules } = parse(blockOf('guides/takedown', 'site rules'));
    expect(watch).toMatchObject({ extends: 'site', rules: [{ if: rules[0].if }] });
    expect(rules).toEqual([
      { if: '$CI_PIPELINE_SOURCE == "schedule"', when: 'never' },
      ...(gitlabJobs(gitlab).site?.rules ?? []),
    ]);
  });
});
