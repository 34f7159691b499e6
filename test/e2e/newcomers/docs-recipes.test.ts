import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { compileCache } from '../../support/process/compile-cache.ts';
import { findRedis, startRedis } from '../../support/process/start-redis.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import {
  cloudflareRecipe,
  githubRecipe,
  gitlabRecipe,
  guide,
  type Recipe,
} from '../../support/site/host-recipes.ts';
import { createSite, type Site, siteIn, type Variables } from '../../support/site/site.ts';
import { usagePosts, useSite } from '../../support/site/site-with-service.ts';

/**
 * Runs the recipes of `docs/guides/` like their hosts, each time in a new checkout. They depend on
 * hosts and commands, not on Astro:
 * @module-tag any-astro
 * @module-tag slow
 */

const hasRedis = findRedis();

const setup = useSite('main-job');
let folder: string;

beforeEach(async () => {
  await setup.restore();
  folder = await temporaryFolder('recipes');
  await mkdir(join(folder, 'bin'));
  await program('npm', 'case $1 in run) exec astro build;; esac');
  await program('npx', '[ "$1" != --no ] || shift; exec "$@"');
  await program('wrangler', 'exit 0');
  const command = 'node_modules/astro-media-asset/dist/cli/main.js';
  await nodeProgram('astro', 'node_modules/astro/bin/astro.mjs');
  await nodeProgram('media-asset', command);
});

/** Replaces the registry and `node_modules/.bin`. */
async function program(name: string, script: string): Promise<void> {
  const path = join(folder, 'bin', name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

/** If its job has `IS_SHARED`, `runPrograms` runs it, and answers with its exit code. */
async function nodeProgram(name: string, file: string): Promise<void> {
  const ask = `{ printf '%s\\0' ${name} "$@" ''; env -0; printf '\\0'; } >&3`;
  const alone = `exec "${process.execPath}" ${file} "$@"`;
  await program(name, `[ "$IS_SHARED" ] || ${alone}\n${ask}\nread -r code <&3; exit "$code"`);
}

type Edit = (site: Site) => Promise<void>;

/**
 * Runs a recipe in a new checkout: restores its cache, runs its steps, and saves its cache. Its builds
 * and commands run in processes of earlier ones, unless `isAlone`.
 */
async function ciRun(
  recipe: Recipe,
  {
    variables,
    edits = [],
    isAlone = false,
    secrets = settings(),
  }: {
    variables: Variables;
    edits?: readonly Edit[];
    isAlone?: boolean;
    secrets?: Variables;
  },
): Promise<string> {
  const checkout = async () => {
    const site = await createSite('main-job');
    for (const edit of [recipe.config, ...edits]) await edit(site);
    return site;
  };
  const cache = join(folder, 'cache');
  const artifact = join(folder, 'artifact');
  let site = await checkout();
  const how = isAlone ? {} : { IS_SHARED: '1' };
  let output = '';
  for (const step of recipe.steps({ ...variables, ...secrets })) {
    switch (step.kind) {
      case 'checkout':
        await site.delete();
        site = await checkout();
        break;
      case 'run':
        output += await shell(site.dir, step.script, { ...variables, ...step.env, ...how });
        break;
      case 'restore':
        await copy(step.paths, cache, site.dir);
        break;
      case 'save':
        await copy(step.paths, site.dir, cache);
        break;
      case 'upload':
        await rm(artifact, { recursive: true, force: true });
        await copy(step.paths, site.dir, artifact);
        break;
      case 'download':
        await copy(['.'], artifact, site.dir);
        break;
    }
  }
  await site.delete();
  return output;
}

/** The settings that the guides name. */
const settings = (): Variables => {
  const { MEDIA_ASSET_BASE_URL, MEDIA_ASSET_CLIENT_ID, MEDIA_ASSET_CLIENT_SECRET } =
    setup.emulator.env;
  const service = { MEDIA_ASSET_BASE_URL, MEDIA_ASSET_CLIENT_ID, MEDIA_ASSET_CLIENT_SECRET };
  return { ...service, MEDIA_ASSET_REFRESH_TOKEN: 'emulator-refresh-token' };
};

async function copy(paths: readonly string[], from: string, to: string): Promise<void> {
  for (const path of paths) {
    if (!existsSync(join(from, path))) continue;
    await cp(join(from, path), join(to, path), { recursive: true });
  }
}

function environment(variables: Variables): Variables {
  return {
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    HOME: folder,
    ...compileCache,
    ASTRO_TELEMETRY_DISABLED: '1',
    ...variables,
  };
}

/** Runs a step of a job. Like on a host, a failed step throws its output. */
async function shell(cwd: string, script: string, variables: Variables): Promise<string> {
  const env = environment(variables) as NodeJS.ProcessEnv;
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const;
  const job = spawn('bash', ['-eo', 'pipefail', '-c', script], { cwd, env, stdio: [...stdio] });
  const [, out, err, orders] = job.stdio as unknown as [null, Duplex, Duplex, Duplex];
  const printed = [text(out), text(err), runPrograms(orders)];
  const [code] = await once(job, 'exit');
  const output = (await Promise.all(printed)).join('');
  if (code !== 0) throw new Error(`${script}\n${output}`);
  return output;
}

/**
 * Runs the programs that a job asks for, each by its name, words and environment.
 *
 * @returns what they print
 */
async function runPrograms(orders: Duplex): Promise<string> {
  let output = '';
  let order = '';
  for await (const chunk of orders.setEncoding('utf8')) {
    order += chunk;
    const [asked = '', given] = order.split('\0\0');
    if (!given || !order.endsWith('\0\0')) continue;
    order = '';
    const [name, ...words] = asked.split('\0');
    const variables = Object.fromEntries(
      given.split('\0').map((entry) => [/^[^=]*/.exec(entry)?.[0], entry.replace(/^[^=]*=/, '')]),
    );
    const site = siteIn(variables.PWD, { sharedAstro: true });
    const run = await (name === 'astro'
      ? site.build(variables, ...words.slice(1))
      : site.command(variables, ...words));
    output += run.output;
    orders.write(`${run.exitCode}\n`);
  }
  return output;
}

const quayGone: Edit = (site) => site.remove('src/pages/quay.astro');

/**
 * The same history on each host: production, no change, a change in review, the change merged.
 * The first build has a process of its own, so that the next one only knows what the host has kept.
 */
async function runsRight(
  recipe: Recipe,
  { production, review }: { production: Variables; review: Variables },
): Promise<void> {
  const sent = () => usagePosts(setup.requests()).length;
  await ciRun(recipe, { variables: production, isAlone: true });
  const first = setup.pairs();
  expect(first).toHaveLength(5);
  expect(sent()).toBeGreaterThan(0);

  await ciRun(recipe, { variables: production });
  expect(sent()).toBe(0);

  const reviewed = await ciRun(recipe, { variables: review, edits: [quayGone] });
  expect(reviewed).toContain('Plan:');
  expect(sent()).toBe(0);
  expect(setup.pairs()).toEqual(first);

  await ciRun(recipe, { variables: production, edits: [quayGone] });
  expect(setup.pairs()).toEqual(first.filter((pair) => !pair.endsWith('/quay/')));
  expect(setup.pairs().length).toBeLessThan(first.length);
}

const onGithub = { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_REF: 'refs/heads/main' };
const onGitlab = {
  ...{ CI: 'true', GITLAB_CI: 'true', CI_DEFAULT_BRANCH: 'main' },
  ...{ CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main' },
};

describe.skipIf(process.platform === 'win32')('the recipe for', () => {
  test('GitHub Actions keeps the usages correct', async () => {
    const event = join(folder, 'event.json');
    await writeFile(event, JSON.stringify({ repository: { default_branch: 'main' } }));
    const recipe = githubRecipe(await guide('ci-github'));
    const onMain = { ...onGithub, GITHUB_EVENT_PATH: event };
    const review = {
      ...onMain,
      ...{ GITHUB_EVENT_NAME: 'pull_request', GITHUB_REF: 'refs/pull/7/merge' },
    };
    const production = { ...onMain, GITHUB_EVENT_NAME: 'push' };
    await runsRight(recipe, { production, review });

    // On a schedule, with an event that names no repository: the page that is there again is reported.
    await writeFile(event, JSON.stringify({ schedule: '17 4 * * 1,4' }));
    await ciRun(recipe, { variables: { ...onMain, GITHUB_EVENT_NAME: 'schedule' } });
    expect(setup.pairs()).toHaveLength(5);
    expect(await readdir(join(folder, 'cache'))).toEqual(['.media-asset']);

    // A fork's pull request has no secrets. Without them, nothing else goes live.
    expect(await ciRun(recipe, { variables: review, secrets: {} })).toContain('placeholder');
    await expect(ciRun(recipe, { variables: production, secrets: {} })).rejects.toThrow(
      'MEDIA_ASSET_CLIENT_SECRET',
    );
    expect(setup.pairs()).toHaveLength(5);
  });

  test.each([
    [
      'GitHub Actions',
      onGithub,
      async (name: string) => {
        const line = `          folder: ${JSON.stringify(name)}\n`;
        const page = (await guide('ci-github')).replace(
          /^ +MEDIA_ASSET_REFRESH_TOKEN: .*\n/m,
          `$&${line}`,
        );
        return githubRecipe(page);
      },
    ],
    [
      'GitLab CI',
      onGitlab,
      async (folder: string) => gitlabRecipe(await guide('ci-gitlab'), { folder }),
    ],
  ])(
    '%s reports the folder that is named, whatever its characters',
    async (_, variables, recipe) => {
      const name = `--out '"; touch broken; $(touch broken)`;
      const edits: Edit[] = [
        (site) =>
          site.edit('astro.config.mjs', 'site:', `outDir: ${JSON.stringify(`./${name}`)}, site:`),
      ];
      await ciRun(await recipe(name), { variables, edits });
      expect(setup.pairs()).toHaveLength(5);

      await expect(ciRun(await recipe(`${name} 2`), { variables, edits })).rejects.toThrow(
        `There is no folder ${name} 2. The last build's pages are in ${name}.\n`,
      );
    },
  );

  test('GitLab CI keeps the usages correct', async () => {
    const { CI_COMMIT_BRANCH: _, ...inReview } = onGitlab;
    await runsRight(await gitlabRecipe(await guide('ci-gitlab')), {
      production: onGitlab,
      review: { ...inReview, CI_PIPELINE_SOURCE: 'merge_request_event', CI_MERGE_REQUEST_IID: '7' },
    });
  });

  test('GitHub Pages follows the rules of the build, and refuses those of an earlier one', async () => {
    const recipe = githubRecipe(await guide('ci-github'), '## GitHub Pages');
    const variables = onGithub;
    await ciRun(recipe, { variables });
    const first = setup.pairs();
    expect(first).toHaveLength(5);

    // The same pages in the same files, so they don't show that one no longer counts.
    const excluded: Edit = (site) =>
      site.edit(
        'astro.config.mjs',
        "mediaAsset({ report: 'deploy' })",
        "mediaAsset({ report: { when: 'deploy', exclude: ['/quay'] } })",
      );
    const withoutRules: Recipe = {
      ...recipe,
      steps: (host) =>
        recipe
          .steps(host)
          .map((step) => (step.kind === 'upload' ? { ...step, paths: ['dist'] } : step)),
    };
    await expect(ciRun(withoutRules, { variables, edits: [excluded] })).rejects.toThrow(
      "dist wasn't built with the rules in .media-asset/build.json.",
    );
    expect(setup.pairs()).toEqual(first);

    await ciRun(recipe, { variables, edits: [excluded] });
    expect(setup.pairs()).toEqual(first.filter((pair) => !pair.endsWith('/quay/')));
    expect(setup.pairs().length).toBeLessThan(first.length);
  });

  test.skipIf(!hasRedis)('a host that keeps no folder keeps the usages correct', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const pages = { CI: 'true', CF_PAGES: '1' };
    // `test/docs/docs-recipes.test.ts`: the other hosts run the same command.
    await runsRight(cloudflareRecipe(await guide('ci-cloudflare')), {
      production: { ...pages, CF_PAGES_BRANCH: 'main', MEDIA_ASSET_STATE_URL: redis.url },
      review: { ...pages, CF_PAGES_BRANCH: 'spring' },
    });
  });
});
