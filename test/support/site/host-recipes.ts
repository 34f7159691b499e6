import { readFile } from 'node:fs/promises';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { type GithubStep, stepsOf, type Workflow, workflowSchema } from './github-run.ts';
import type { Site, Variables } from './site.ts';

/** The steps of a host's job, in order. */
type RecipeStep =
  | { readonly kind: 'run'; readonly script: string; readonly env: Variables }
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
  /** The steps of a run with these variables of the host and of its settings. */
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
  return (site) => site.edit('astro.config.mjs', 'mediaAsset()', call);
}

/** A workflow of a page's section, or of its start. */
export function githubWorkflow(page: string, section = ''): Workflow {
  return workflowSchema.parse(parse(codeBlock(page.slice(page.indexOf(section)), 'yaml')));
}

const pathsOf = ({ path = '' }: Readonly<Record<string, string>>) =>
  path
    .trim()
    .split('\n')
    .map((one) => one.replace(/^\.\//, ''));

/** The workflow of a page's section, job after job. */
export function githubRecipe(page: string, section?: string): Recipe {
  const workflow = githubWorkflow(page, section);
  return {
    config: options(page),
    steps({ GITHUB_REF: ref, GITHUB_EVENT_NAME: event_name, ...variables }) {
      const event = event_name === 'schedule' ? {} : { repository: { private: false } };
      const run = { github: { ref, event_name, event }, vars: variables, secrets: variables };
      return Object.values(stepsOf(workflow, run)).flat().flatMap(recipeStep);
    },
  };
}

function recipeStep({ uses = '', run, env, ...step }: GithubStep): RecipeStep[] {
  if (run !== undefined) return [{ kind: 'run', script: run, env }];
  const paths = pathsOf(step.with);
  switch (uses.split('@')[0]) {
    case 'actions/checkout':
      return [{ kind: 'checkout' }];
    case 'actions/cache/restore':
      return [{ kind: 'restore', paths }];
    case 'actions/cache/save':
      return [{ kind: 'save', paths }];
    case 'actions/download-artifact':
      return [{ kind: 'download' }];
    case 'actions/upload-artifact': {
      const isAll = step.with['include-hidden-files'] === 'true';
      return [{ kind: 'upload', paths: paths.filter((one) => isAll || !/(^|\/)\./.test(one)) }];
    }
    default:
      return [];
  }
}

const jobSchema = z.strictObject({
  extends: z.string().optional(),
  image: z.string().optional(),
  variables: z.record(z.string(), z.string()).optional(),
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
  before_script: z.array(z.string()).optional(),
  script: z.array(z.string()).optional(),
  after_script: z.array(z.string()).optional(),
  rules: z.array(z.strictObject({ if: z.string() })).optional(),
});

type GitlabJob = z.output<typeof jobSchema>;

const includeSchema = z.strictObject({
  include: z.tuple([
    z.strictObject({ local: z.string(), inputs: z.record(z.string(), z.string()) }),
  ]),
});

const templateSchema = z.tuple([
  z.strictObject({
    spec: z.strictObject({
      inputs: z.record(
        z.string(),
        z.strictObject({ description: z.string(), default: z.string().optional() }),
      ),
    }),
  }),
  z.looseObject({ variables: z.record(z.string(), z.unknown()) }),
]);

/** The pipeline of `templates/gitlab.yml`, as GitLab includes it. */
export async function gitlabPipeline(page: string, inputs?: Readonly<Record<string, string>>) {
  const [included] = includeSchema.parse(parse(codeBlock(page, 'yaml'))).include;
  const text = await readFile(new URL('../../../templates/gitlab.yml', import.meta.url), 'utf8');
  const documents = parseAllDocuments(text).map((one) => one.toJS());
  const [{ spec }, content] = templateSchema.parse(documents);
  const given = { ...included.inputs, ...inputs };
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(spec.inputs, name));
  if (unknown.length > 0) throw new Error(`Unknown inputs: ${unknown}.`);
  const valueIn = (name: string) => {
    const value = given[name] ?? spec.inputs[name]?.default;
    if (value === undefined) throw new Error(`The input ${name} is missing.`);
    return value;
  };
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name) => valueIn(name));
    }
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one)]));
  };
  const { variables, ...rest } = content;
  const jobs = z.record(z.string(), jobSchema).parse(filled(rest));
  const extended = (job: GitlabJob): GitlabJob =>
    job.extends === undefined ? job : { ...extended(jobs[job.extends] ?? {}), ...job };
  return {
    variables,
    jobs: Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, extended(job)])),
  };
}

export async function gitlabRecipe(
  page: string,
  inputs?: Readonly<Record<string, string>>,
): Promise<Recipe> {
  const { jobs } = await gitlabPipeline(page, inputs);
  return {
    config: options(page),
    steps(variables) {
      const [job, ...others] = Object.values(jobs).filter(({ rules }) =>
        rules?.some((rule) => ruleHolds(rule.if, variables)),
      );
      if (!job || others.length > 0) throw new Error('One job must run.');
      const paths = (job.cache ?? []).flatMap((one) => one.paths);
      const script = [...(job.before_script ?? []), ...(job.script ?? [])].join('\n');
      return [
        { kind: 'restore', paths },
        { kind: 'run', script, env: { ...variables, ...job.variables } },
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
    steps: (env) => [{ kind: 'run', script: buildCommand(page, 'Cloudflare'), env }],
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
