import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import * as z from 'zod';
import type { Site, Variables } from './site.ts';

/** The steps of a host's job, in order. */
type RecipeStep =
  | { readonly kind: 'run'; readonly script: string; readonly hasSecrets: boolean }
  | { readonly kind: 'restore' | 'save'; readonly paths: readonly string[] }
  /** An artifact contains the last upload, and is downloaded completely. */
  | { readonly kind: 'upload'; readonly paths: readonly string[] }
  | { readonly kind: 'download' }
  /** Starts another job. */
  | { readonly kind: 'checkout' };

/** A recipe of `docs/guides/`. */
export interface Recipe {
  /** Applies the recipe's Astro options to a site. */
  config(site: Site): Promise<void>;
  /** The steps of a run with these host variables. */
  steps(variables: Variables): RecipeStep[];
}

/** The text of a page of `docs/guides/`. */
export function guide(name: string): Promise<string> {
  return readFile(new URL(`../../../docs/guides/${name}.md`, import.meta.url), 'utf8');
}

/** The text of a page's first code block of a language. */
export function codeBlock(page: string, language: string): string {
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1];
  if (block === undefined) throw new Error(`The page has no block of ${language}.`);
  return block;
}

/** Applies a page's options to a fixture's config. */
function options(page: string): Recipe['config'] {
  const call = codeBlock(page, 'js').trim();
  return (site) => site.edit('astro.config.mjs', 'mediaAssets()', call);
}

const cacheSchema = z.strictObject({
  path: z.string(),
  key: z.string(),
  'restore-keys': z.string().optional(),
});

const stepSchema = z.union([
  z.strictObject({
    run: z.string(),
    if: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({
    uses: z.string(),
    id: z.string().optional(),
    if: z.string().optional(),
    with: z.record(z.string(), z.unknown()).optional(),
  }),
]);

/** The workflow keys of the recipes. Any other key fails, because GitHub ignores mistyped ones. */
const permissionsSchema = z.record(z.string(), z.enum(['read', 'write', 'none']));
const commonKeys = {
  name: z.string(),
  on: z.strictObject({
    push: z.strictObject({ branches: z.array(z.string()) }),
    pull_request: z.null(),
    schedule: z.array(z.strictObject({ cron: z.string().regex(/^(\S+ ){4}\S+$/) })),
    workflow_dispatch: z.strictObject({
      inputs: z.record(
        z.string(),
        z.strictObject({ description: z.string(), type: z.literal('boolean') }),
      ),
    }),
  }),
  permissions: permissionsSchema,
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }),
};

export const workflowSchema = z.strictObject({
  ...commonKeys,
  jobs: z.strictObject({
    site: z.strictObject({
      'runs-on': z.string(),
      env: z.record(z.string(), z.string()),
      steps: z.array(stepSchema),
    }),
  }),
});

export function githubWorkflow(page: string): z.output<typeof workflowSchema> {
  return workflowSchema.parse(parse(codeBlock(page, 'yaml')));
}

export function githubRecipe(page: string): Recipe {
  const { site: job } = githubWorkflow(page).jobs;
  return { config: options(page), steps: (variables) => githubSteps(job, variables) };
}

const pagesJobSchema = z.strictObject({
  'runs-on': z.string(),
  steps: z.array(stepSchema),
});
const laterJobSchema = pagesJobSchema.extend({ if: z.string() });

const pagesSchema = z.strictObject({
  ...commonKeys,
  env: z.record(z.string(), z.string()),
  jobs: z.strictObject({
    build: pagesJobSchema,
    deploy: laterJobSchema.extend({
      needs: z.literal('build'),
      permissions: permissionsSchema,
      environment: z.strictObject({ name: z.literal('github-pages'), url: z.string() }),
    }),
    report: laterJobSchema.extend({ needs: z.literal('deploy') }),
  }),
});

export function githubPagesWorkflow(page: string): z.output<typeof pagesSchema> {
  const section = page.slice(page.indexOf('## GitHub Pages'));
  return pagesSchema.parse(parse(codeBlock(section, 'yaml')));
}

/** Three jobs, one after another. */
export function githubPagesRecipe(page: string): Recipe {
  const { build, deploy, report } = githubPagesWorkflow(page).jobs;
  return {
    config: options(page),
    steps: (variables) => [build, deploy, report].flatMap((job) => githubSteps(job, variables)),
  };
}

const uploadSchema = z.strictObject({
  name: z.literal('site'),
  path: z.string(),
  'include-hidden-files': z.boolean().default(false),
});

function githubSteps(
  job: { if?: string; steps: readonly z.output<typeof stepSchema>[] },
  variables: Variables,
): RecipeStep[] {
  if (job.if !== undefined && !holds(job.if, variables)) return [];
  return job.steps.flatMap((step): RecipeStep[] => {
    if (step.if !== undefined && !holds(step.if, variables)) return [];
    if ('run' in step) {
      return [{ kind: 'run', script: step.run, hasSecrets: step.env !== undefined }];
    }
    switch (step.uses.split('@')[0]) {
      case 'actions/checkout':
        return [{ kind: 'checkout' }];
      case 'actions/cache/restore':
        return [{ kind: 'restore', paths: cacheSchema.parse(step.with).path.trim().split('\n') }];
      case 'actions/cache/save':
        return [{ kind: 'save', paths: cacheSchema.parse(step.with).path.trim().split('\n') }];
      case 'actions/download-artifact':
        return [{ kind: 'download' }];
      case 'actions/upload-artifact': {
        const { path, 'include-hidden-files': isAll } = uploadSchema.parse(step.with);
        const paths = path.trim().split('\n');
        return [{ kind: 'upload', paths: paths.filter((one) => isAll || !/(^|\/)\./.test(one)) }];
      }
      default:
        return [];
    }
  });
}

/**
 * Whether a condition of GitHub is true. The recipe's expressions are valid JavaScript, except that
 * GitHub allows a property of a missing value: a schedule's event may lack the repository.
 */
export function holds(
  condition: string,
  { GITHUB_REF, GITHUB_EVENT_NAME }: Variables,
  { isPrivate = false } = {},
): boolean {
  const event = GITHUB_EVENT_NAME === 'schedule' ? {} : { repository: { private: isPrivate } };
  const script = condition.replace(/\.(?=\w)/g, '?.');
  const github = { ref: GITHUB_REF, event };
  return Boolean(new Function('github', 'always', `return (${script});`)(github, () => true));
}

const jobSchema = z.strictObject({
  extends: z.string().optional(),
  image: z.string().optional(),
  resource_group: z.string().optional(),
  environment: z.string().optional(),
  cache: z
    .array(
      z.strictObject({
        key: z.string(),
        paths: z.array(z.string()),
        when: z.enum(['on_success', 'on_failure', 'always']).optional(),
      }),
    )
    .optional(),
  script: z.array(z.string()).optional(),
  rules: z.array(z.strictObject({ if: z.string() })).optional(),
});

export function gitlabJobs(page: string): Record<string, z.output<typeof jobSchema>> {
  const { variables: _, ...block } = parse(codeBlock(page, 'yaml'), { merge: true });
  const jobs = z.record(z.string(), jobSchema).parse(block);
  return Object.fromEntries(
    Object.entries(jobs).map(([name, job]) => [
      name,
      job.extends === undefined ? job : { ...jobs[job.extends], ...job },
    ]),
  );
}

export function gitlabRecipe(page: string): Recipe {
  const jobs = gitlabJobs(page);
  return {
    config: options(page),
    steps(variables) {
      const [job, ...others] = Object.values(jobs).filter(({ rules }) =>
        rules?.some((rule) => ruleHolds(rule.if, variables)),
      );
      if (!job?.cache || others.length > 0) throw new Error('One job must run, with its cache.');
      const paths = job.cache.flatMap((one) => one.paths);
      return [
        { kind: 'restore', paths },
        ...(job.script ?? []).map(
          (script): RecipeStep => ({ kind: 'run', script, hasSecrets: true }),
        ),
        { kind: 'save', paths },
      ];
    },
  };
}

/** A rule of GitLab: two variables, or a variable and a text. */
function ruleHolds(rule: string, variables: Variables): boolean {
  const sides = /^(\S+) == (\S+)$/.exec(rule)?.slice(1);
  const [left, right] = (sides ?? []).map((side) =>
    side.startsWith('$') ? variables[side.slice(1)] : JSON.parse(side),
  );
  if (sides === undefined) throw new Error(`The rule ${rule} is not understood.`);
  return left !== undefined && left === right;
}

/** Cloudflare: one command, without a cache. */
export function cloudflareRecipe(page: string): Recipe {
  return {
    config: options(page),
    steps: () => [{ kind: 'run', script: buildCommand(page, 'Cloudflare'), hasSecrets: true }],
  };
}

const buildCommands = {
  Netlify: /^ {2}command = "(.+)"$/m,
  Vercel: /^ {2}"buildCommand": "(.+)",$/m,
  Cloudflare: /^\| Build command \| `(.+)` \|$/m,
};

/** The command that a page names for a host that keeps no folder. */
export function buildCommand(page: string, host: keyof typeof buildCommands): string {
  const [, command] = buildCommands[host].exec(page) ?? [];
  if (command === undefined) throw new Error(`${host} has no build command.`);
  return command;
}
