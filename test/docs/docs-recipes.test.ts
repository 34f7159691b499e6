import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { blockOf } from '../support/site/doc-blocks.ts';
import {
  type GithubRun,
  readAction,
  readWorkflow,
  stepsOf,
  workflowSchema,
} from '../support/site/github-run.ts';
import {
  buildCommand,
  codeBlock,
  githubWorkflow,
  gitlabPipeline,
  guide,
} from '../support/site/host-recipes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const github = await guide('ci-github');
const gitlab = await guide('ci-gitlab');

const onGithub = (ref: string, event_name: string, isPrivate = false): GithubRun['github'] => ({
  ...{ ref, event_name, run_id: 7, run_attempt: 2 },
  event: event_name === 'schedule' ? {} : { repository: { private: isPrivate } },
});
const main = 'refs/heads/main';
const push = onGithub(main, 'push');
const pull = onGithub('refs/pull/7/merge', 'pull_request');
const secrets = Object.fromEntries(
  ['CLIENT_ID', 'CLIENT_SECRET', 'REFRESH_TOKEN'].map((name) => [
    `MEDIA_ASSET_${name}`,
    `secret ${name}`,
  ]),
);

const pages = githubWorkflow(github, '## GitHub Pages');

describe.each([
  ['GitHub Actions', githubWorkflow(github)],
  ['GitHub Pages', pages],
])('the workflow for %s', (_, workflow) => {
  const steps = (run: GithubRun['github']) =>
    Object.values(stepsOf(workflow, { github: run, secrets })).flat();
  const scripts = (run: GithubRun['github']) => steps(run).flatMap((step) => step.run ?? []);
  const caching = (path: string, run: GithubRun['github']) =>
    steps(run).filter((step) => step.uses?.includes('/cache') && step.with.path === path);
  const kinds = (path: string, run: GithubRun['github']) =>
    caching(path, run).map(({ uses = '' }) => uses.split('@')[0]);
  const ledger = './.media-asset';
  const report = 'npx --no media-asset report --yes -- "$FOLDER"';

  test('runs once at a time for a branch, and cancels no run that is sending', () => {
    expect(workflow.concurrency).toMatch(/^site-\$\{\{ github\.ref \}\}$/);
  });

  test('reports the default branch alone', () => {
    expect(workflow.on.push?.branches).toEqual(['main']);
    for (const run of [push, onGithub(main, 'schedule')]) {
      expect(scripts(run)).toContain('npm run build');
      expect(scripts(run).at(-1)).toBe(report);
    }
    for (const run of [pull, onGithub('refs/heads/spring', 'workflow_dispatch')]) {
      expect(scripts(run)).toEqual(['eval "$INSTALL"', 'npm run build']);
    }
  });

  test('keeps the ledger: each run and attempt saves a new cache, the newest is restored', () => {
    const caches = caching(ledger, push);
    const key = 'media-asset-ledger-7-2';
    for (const one of caches) expect(one.with.key).toBe(key);
    expect(caches[0]?.with['restore-keys']).toBe('media-asset-ledger-');
    expect(kinds(ledger, push).at(-1)).toBe('actions/cache/save');
    expect(kinds(ledger, pull)).toEqual(['actions/cache/restore']);
  });

  test('gives secrets only to the commands that build and report', () => {
    const given = steps(push).filter((step) => JSON.stringify(step).includes('secret '));
    expect(given.map(({ run }) => run)).toEqual(['npm run build', report]);
    for (const { env } of given) expect(env).toMatchObject(secrets);
    for (const { uses, ...step } of steps(push)) {
      if (uses?.startsWith('actions/checkout@'))
        expect(step.with).toEqual({ 'persist-credentials': 'false' });
    }
  });
});

test('on GitHub, the ledger is kept after a failed report, and after a build that is not reported', () => {
  const run = { github: push, status: 'failure' } as const;
  const [save, ...others] = stepsOf(githubWorkflow(github), run).site ?? [];
  expect(others).toEqual([]);
  expect(save).toMatchObject({ with: { path: './.media-asset' } });
  expect(readAction('.github/actions/report').runs.steps.at(-1)).toMatchObject({
    if: 'always()',
    uses: save?.uses,
  });
});

test.each([
  ['GitHub Actions', githubWorkflow(github), 'site', 'node_modules'],
  ['GitHub Pages', pages, 'build', './node_modules'],
])('on %s, crops to look at are listed, also after a failed build', (_, workflow, job, modules) => {
  const files = [`${modules}/.astro/media-asset/crops.json`];
  const scripts = (run: GithubRun) =>
    stepsOf(workflow, { secrets, ...run })[job]?.flatMap(({ run }) => run ?? []);
  const crops = 'npx --no media-asset crops';
  expect(scripts({ github: push, files })).toContain(crops);
  expect(scripts({ github: push, files, status: 'failure' })).toEqual([crops]);
  // A build without credentials compares none.
  expect(scripts({ github: push })).not.toContain(crops);
});

describe('the workflow that GitHub Pages calls', () => {
  const { permissions, jobs } = readWorkflow('.github/workflows/pages.yml');

  test('lets only the job without secrets write to Pages', () => {
    expect(pages.permissions).toEqual({ contents: 'read', ...jobs.deploy?.permissions });
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs.deploy?.permissions).toEqual({ pages: 'write', 'id-token': 'write' });
    expect(JSON.stringify(jobs.deploy)).not.toContain('secrets.');
    expect(jobs.build?.permissions ?? jobs.report?.permissions).toBeUndefined();
  });

  test('deploys what was built, then reports it', () => {
    const names = Object.entries(stepsOf(pages, { github: push })).flatMap(([name, steps]) =>
      steps.map(({ uses = 'run' }) => `${name} ${uses.split('@')[0]}`),
    );
    expect(names.filter((name) => /upload|deploy-|download/.test(name))).toEqual([
      'build actions/upload-pages-artifact',
      'build actions/upload-artifact',
      'deploy actions/deploy-pages',
      'report actions/download-artifact',
    ]);
  });

  test('takes a branch, folders and commands, and passes each on', () => {
    const inputs = { branch: 'release', root: 'apps/web', folder: 'out', install: 'pnpm i' };
    const site = { ...pages.jobs.site, with: { ...pages.jobs.site?.with, ...inputs } };
    const changed = { ...pages, jobs: { site } } as typeof pages;
    const github = onGithub('refs/heads/release', 'push');
    const { build = [], deploy, report = [] } = stepsOf(changed, { github });
    expect(deploy).toHaveLength(1);
    const [, , install, ledger, command, published, artifact] = build;
    expect(install).toMatchObject({ env: { INSTALL: 'pnpm i' }, folder: 'apps/web' });
    expect(ledger?.with.path).toBe('apps/web/.media-asset');
    expect(command).toMatchObject({ run: 'npm run build', folder: 'apps/web' });
    expect(published?.with.path).toBe('apps/web/out');
    expect(artifact?.with.path).toBe('apps/web/out\napps/web/.media-asset/build.json\n');
    expect(report.at(-3)?.with).toEqual({ name: 'site', path: 'apps/web' });
    expect(report.at(-2)).toMatchObject({ env: { FOLDER: 'out' }, folder: 'apps/web' });
    expect(report.at(-1)?.with.path).toBe('apps/web/.media-asset');
  });
});

describe('every action and workflow', async () => {
  const files = await fastGlob('.github/{actions,workflows}/**/*.yml', { cwd: root, dot: true });
  const texts = await Promise.all(
    [...files, 'docs/guides/ci-github.md', 'docs/guides/takedown.md'].map(
      async (path) => [path, await readFile(join(root, path), 'utf8')] as const,
    ),
  );

  test.each(texts)('pins by commit hash, with the version in a comment: %s', (_, text) => {
    const used = text.match(/(?<=^ +(?:- )?uses: ).*/gm) ?? [];
    expect(used.length).toBeGreaterThan(0);
    const own = /^([^/$]+\/[^/]+\/\.github\/\S+@<commit>|\$\/\.github\/\S+)$/;
    for (const one of used.filter((one) => !own.test(one)))
      expect(one).toMatch(/^[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('pins each action to one commit', () => {
    const pins = texts.flatMap(
      ([, text]) => text.match(/actions\/[\w-]+(?:\/\w+)?@[\da-f]+/g) ?? [],
    );
    const commits = new Map(pins.map((pin) => pin.split('@') as [string, string]));
    expect(new Set(pins).size).toBe(commits.size);
  });

  test.each(texts)('puts no expression into a script: %s', (_, text) => {
    for (const [, script] of text.matchAll(/^ +(?:- )?run: (\|\n(?: {10}.*\n)+|.*)/gm))
      expect(script).not.toContain('${{');
  });

  // The runner refuses them in an action, although workflows may have them.
  test.each(texts.filter(([path]) => path.endsWith('action.yml')))(
    'has no anchors: %s',
    (_, text) => {
      expect(text).not.toMatch(/: [&*]\w/);
    },
  );
});

describe('the pipeline for GitLab', async () => {
  const { variables, jobs } = await gitlabPipeline(gitlab);
  const { review, site } = jobs;

  test('reports in the job of the default branch alone, one at a time', () => {
    expect(site?.script?.at(-1)).toBe('npx --no media-asset report --yes -- "$SITE_FOLDER"');
    expect(site?.script).toContain('npx wrangler deploy');
    expect(review?.script).toEqual(['npm run build']);
    expect(site?.rules).toEqual([{ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }]);
    expect(site?.resource_group).toBeTruthy();
  });

  test('keeps the ledger of the reporting job, even if it fails, and of no other', () => {
    const ledger = (job: typeof site) =>
      job?.cache?.find(({ paths }) => paths.includes('./.media-asset/'));
    expect(ledger(site)).toMatchObject({ paths: ['./.media-asset/'], when: 'always' });
    expect(ledger(review)).toBeUndefined();
  });

  test('lets held removals pass with an input of its form', () => {
    expect(variables.MEDIA_ASSET_ALLOW_REMOVALS).toMatchObject({
      value: '0',
      options: ['0', '1'],
      description: expect.any(String),
    });
  });

  test('is a file of the package, which the guide copies to the place that it includes', async () => {
    expect(manifest.files).toContain('templates');
    const folder = await temporaryFolder('gitlab');
    await mkdir(join(folder, 'node_modules'));
    await symlink(root, join(folder, 'node_modules/astro-media-asset'), 'junction');
    execFileSync('bash', ['-e', '-c', codeBlock(gitlab, 'sh')], { cwd: folder });
    const [{ local }] = parse(codeBlock(gitlab, 'yaml')).include;
    const template = await readFile(join(root, 'templates/gitlab.yml'), 'utf8');
    expect(await readFile(join(folder, local), 'utf8')).toBe(template);
  });

  test('lists crops to look at after each build, also after a failed one', async () => {
    const folder = await temporaryFolder('gitlab-crops');
    const called = join(folder, 'called');
    await writeFile(join(folder, 'npx'), `#!/bin/sh\necho "$@" >>${called}\n`, { mode: 0o755 });
    const run = (script: readonly string[]) =>
      execFileSync('bash', ['-e', '-c', script.join('\n')], {
        cwd: folder,
        env: { PATH: `${folder}:${process.env.PATH}`, SITE_ROOT: '.' },
        stdio: 'ignore',
      });
    for (const { after_script = [] } of [jobs.review, jobs.site].map((job) => job ?? {})) {
      run(after_script);
      await expect(readFile(called)).rejects.toThrow('ENOENT');
      const cache = join(folder, 'node_modules/.astro/media-asset');
      await mkdir(cache, { recursive: true });
      await writeFile(join(cache, 'crops.json'), '[]');
      run(after_script);
      expect(await readFile(called, 'utf8')).toBe('--no media-asset crops\n');
      await rm(called);
      await rm(cache, { recursive: true });
    }
  });

  test('needs the command that deploys', async () => {
    const without = gitlab.replace(/^ +inputs:\n +deploy: .*\n/m, '    inputs: {}\n');
    await expect(gitlabPipeline(without)).rejects.toThrow('The input deploy is missing.');
  });
});

describe('held removals can be let pass where the ledger is', () => {
  test.each([
    ['GitHub Actions', githubWorkflow(github)],
    ['GitHub Pages', pages],
  ])('with an input: %s', (_, workflow) => {
    const [name = '', ...others] = Object.keys(workflow.on.workflow_dispatch?.inputs ?? {});
    expect(others).toEqual([]);
    const value = (inputs: object) =>
      Object.values(stepsOf(workflow, { github: push, inputs: { ...inputs } }))
        .flat()
        .filter(({ run }) => run?.startsWith('np'))
        .map(({ env }) => env.MEDIA_ASSET_ALLOW_REMOVALS);
    expect(value({ [name]: true })).toEqual(['1', '1']);
    expect(value({ [name]: false })).not.toContain('1');
    expect(value({})).not.toContain('1');
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
    const folder = await temporaryFolder('watch');
    const calls = join(folder, 'calls');
    const npx = `#!/bin/sh\necho "$@" >> ${calls}\ncase "$*" in *--next) echo 'The end' >&2; exit 1;; *watch*) exit ${watchEndsWith};; esac\n`;
    await writeFile(join(folder, 'npx'), npx, { mode: 0o755 });
    await writeFile(join(folder, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
    const output = join(folder, 'output');
    const summary = join(folder, 'summary');
    const path = `${folder}:${process.env.PATH}`;
    const env = { PATH: path, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary };
    const exitCode = await new Promise((resolve) =>
      execFile('bash', ['-eo', 'pipefail', '-c', script], { env }, (error) =>
        resolve(error?.code ?? 0),
      ),
    );
    const read = (path: string) => readFile(path, 'utf8').catch(() => '');
    return {
      exitCode,
      calls: (await read(calls)).trim().split('\n'),
      output: await read(output),
      summary: await read(summary),
    };
  }

  const onGitHub = parse(blockOf('guides/takedown', 'github'));
  const { watch } = parse(blockOf('guides/takedown', 'gitlab'));

  test.each([
    ['nothing has changed', 0, { exitCode: 0, output: '' }, []],
    [
      'the site needs a build',
      5,
      { exitCode: 0, output: 'rebuild=true\n' },
      ['--no media-asset report dist --yes'],
    ],
    ['of an error', 1, { exitCode: 1, output: '' }, []],
  ])('build or not because %s (%i)', async (_, code, { exitCode, output }, calls) => {
    const { run } = onGitHub.jobs.watch.steps.find(({ id }: { id?: string }) => id === 'watch');
    expect(await runScript(run, code)).toMatchObject({ exitCode, output, summary: 'The end\n' });
    expect(await runScript(watch.script.join('\n'), code)).toMatchObject({
      exitCode,
      calls: ['--no media-asset watch --next', '--no media-asset watch', ...calls],
    });
  });

  test('on GitHub, may start workflows, and give secrets to one step only', () => {
    const { permissions, jobs } = onGitHub;
    expect(permissions).toEqual({ contents: 'read', actions: 'write' });
    expect(jobs.watch.steps.at(-1)).toMatchObject({
      if: 'steps.watch.outputs.rebuild',
      run: 'gh workflow run site.yml --ref main',
    });
    const withSecrets = jobs.watch.steps.filter((step: object) =>
      JSON.stringify(step).includes('secrets.'),
    );
    expect(withSecrets).toMatchObject([{ id: 'watch' }]);
  });

  test('on GitHub, restore the ledger, and save nothing', () => {
    const workflow = workflowSchema.parse(onGitHub);
    const { watch = [] } = stepsOf(workflow, { github: onGithub(main, 'schedule') });
    const caches = watch.filter(({ uses }) => uses?.includes('/cache'));
    expect(caches.map(({ uses, with: { path } }) => `${uses?.split('@')[0]} ${path}`)).toEqual([
      'actions/cache/restore ./.media-asset',
    ]);
  });

  test('on GitLab, the schedule runs this job, and pushes run the other', async () => {
    const { rules } = parse(blockOf('guides/takedown', 'site rules')).site;
    expect(watch).toMatchObject({ extends: 'site', rules: [{ if: rules[0].if }] });
    expect(rules).toEqual([
      { if: '$CI_PIPELINE_SOURCE == "schedule"', when: 'never' },
      ...((await gitlabPipeline(gitlab)).jobs.site?.rules ?? []),
    ]);
  });
});
