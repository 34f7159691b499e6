import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import type { Variables } from './site.ts';

/** What GitHub knows when it runs a workflow. */
export interface GithubRun {
  readonly github: {
    readonly ref?: string | undefined;
    readonly event_name?: string | undefined;
    readonly event: { readonly repository?: { readonly private: boolean } };
    readonly run_id?: number;
    readonly run_attempt?: number;
  };
  readonly secrets?: Variables;
  readonly vars?: Variables;
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Default: `success`. With `failure`, only the steps run that do after a failed one. */
  readonly status?: 'success' | 'failure';
  /** Files that the job's steps have made. */
  readonly files?: readonly string[];
}

/** A step of a run, with its values. An action of this repository is replaced by its steps. */
export interface GithubStep {
  /** Of another repository. */
  readonly uses?: string | undefined;
  readonly run?: string | undefined;
  readonly with: Readonly<Record<string, string>>;
  /** What the step gets besides the host's variables. */
  readonly env: Readonly<Record<string, string>>;
  /** In the repository. */
  readonly folder: string;
}

/** The keys that are used. Any other key fails, because GitHub ignores mistyped ones. */
const step = z.strictObject({
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  shell: z.literal('bash').optional(),
  'working-directory': z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: z.record(z.string(), z.string()).default({}),
});

const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));

const input = z.strictObject({
  description: z.string(),
  type: z.enum(['string', 'boolean']).optional(),
  default: z.union([z.string(), z.boolean()]).optional(),
});

const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(z.string(), input),
  runs: z.strictObject({
    using: z.literal('composite'),
    steps: z.array(step.refine(({ run, shell }) => (run === undefined) === (shell === undefined))),
  }),
});

const job = z.strictObject({
  needs: z.string().optional(),
  if: z.string().optional(),
  permissions: permissions.optional(),
  'runs-on': z.literal('ubuntu-latest').optional(),
  environment: z.strictObject({ name: z.string(), url: z.string() }).optional(),
  env: z.record(z.string(), z.string()).default({}),
  steps: z.array(step).default([]),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  secrets: z.record(z.string(), z.string()).default({}),
});

export const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    push: z.strictObject({ branches: z.array(z.string()) }).optional(),
    pull_request: z.null().optional(),
    schedule: z.array(z.strictObject({ cron: z.string().regex(/^(\S+ ){4}\S+$/) })).optional(),
    workflow_dispatch: z.strictObject({ inputs: z.record(z.string(), input) }).optional(),
    workflow_call: z
      .strictObject({
        inputs: z.record(z.string(), input),
        secrets: z.record(z.string(), z.strictObject({ required: z.literal(false) })),
      })
      .optional(),
  }),
  permissions,
  concurrency: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
  jobs: z.record(z.string(), job),
});

export type Workflow = z.output<typeof workflowSchema>;

const root = new URL('../../../', import.meta.url);

/** A file of this repository that a `uses` names, or `undefined` for another repository's. */
const ownFile = (uses: string) =>
  /^(?:[^/]+\/[^/]+\/(\.github\/.+)@<commit>|\$\/(.+))$/.exec(uses)?.slice(1).find(Boolean);

export const readAction = (path: string) =>
  actionSchema.parse(parse(readFileSync(new URL(`${path}/action.yml`, root), 'utf8')));

export const readWorkflow = (path: string): Workflow =>
  workflowSchema.parse(parse(readFileSync(new URL(path, root), 'utf8')));

/** What an expression can name. */
interface Context extends GithubRun {
  readonly env?: Readonly<Record<string, string>>;
  /** In an action, the state of the job's earlier steps doesn't matter. */
  readonly isAction?: boolean;
}

/** The steps of each job that runs, in order. */
export function stepsOf(workflow: Workflow, run: GithubRun): Record<string, GithubStep[]> {
  const ran: Record<string, GithubStep[]> = {};
  const env = valuesOf(workflow.env, run);
  const atStart = { ...run, status: 'success' } as const;
  for (const [name, one] of Object.entries(workflow.jobs)) {
    if ((one.needs !== undefined && !ran[one.needs]) || !runs(one.if, atStart)) continue;
    const file = one.uses === undefined ? undefined : ownFile(one.uses);
    if (file !== undefined) {
      const called = readWorkflow(file);
      const { inputs = {}, secrets = {} } = called.on.workflow_call ?? {};
      const given = known(secrets, valuesOf(one.secrets, run));
      const calledRun = { ...run, inputs: inputsOf(inputs, one.with, run), secrets: given };
      Object.assign(ran, stepsOf(called, calledRun));
    }
    const context = { ...run, env: { ...env, ...valuesOf(one.env, run) } };
    ran[name] = one.steps.flatMap((each) => expand(each, context));
  }
  return ran;
}

function expand(one: z.output<typeof step>, context: Context): GithubStep[] {
  if (!runs(one.if, context)) return [];
  const env = { ...context.env, ...valuesOf(one.env, context) };
  const file = one.uses === undefined ? undefined : ownFile(one.uses);
  if (file === undefined) {
    const folder = textOf(one['working-directory'] ?? '.', context);
    return [{ uses: one.uses, run: one.run, with: valuesOf(one.with, context), env, folder }];
  }
  const action = readAction(file);
  const inputs = inputsOf(action.inputs, one.with, context);
  const inside = { ...context, inputs, env, secrets: {}, vars: {}, isAction: true };
  return action.runs.steps.flatMap((each) => expand(each, inside));
}

/** The values of inputs, with their defaults. Throws for an unknown one, which GitHub ignores. */
function inputsOf(
  inputs: Readonly<Record<string, z.output<typeof input>>>,
  given: Readonly<Record<string, unknown>>,
  context: Context,
): Record<string, unknown> {
  const defaults = Object.entries(inputs).map(([name, one]) => [name, one.default ?? '']);
  const values = Object.entries(given).map(([name, value]) => [name, valueIn(value, context)]);
  return known(inputs, Object.fromEntries([...defaults, ...values]));
}

function known<T extends object>(declared: object, given: T): T {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(declared, name));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown}.`);
  return given;
}

/** Whether a job or a step runs. Without a status function, only after success. */
function runs(condition: string | undefined, context: Context): boolean {
  const { status = 'success', isAction = false } = context;
  if (condition !== undefined && !evaluate(condition, context)) return false;
  return isAction || status === 'success' || /\balways\(\)/.test(condition ?? '');
}

const valuesOf = (values: Readonly<Record<string, unknown>>, context: Context) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, textOf(String(value), context)]),
  );

const textOf = (text: string, context: Context) => String(valueIn(text, context) ?? '');

/** The value of a YAML scalar. A single expression keeps its type. */
function valueIn(value: unknown, context: Context): unknown {
  if (typeof value !== 'string') return value;
  const single = /^\$\{\{ ((?:(?!\}\}).)*) \}\}$/.exec(value)?.[1];
  if (single !== undefined) return evaluate(single, context);
  return value.replace(/\$\{\{ (.*?) \}\}/g, (_, each) => String(evaluate(each, context) ?? ''));
}

/**
 * The value of GitHub's expression. The ones here are valid JavaScript, except that GitHub allows
 * hyphens in names and properties of missing values: a schedule's event may lack the repository.
 */
function evaluate(expression: string, context: Context): unknown {
  const script = expression.replace(/'[^']*'|(?<=\w)\.([\w-]+)/g, (text, name) =>
    name === undefined ? text : `?.['${name}']`,
  );
  const { status = 'success', files = [], isAction: _, ...contexts } = context;
  const names = {
    ...{ inputs: {}, secrets: {}, vars: {}, env: {}, steps: {}, ...contexts },
    job: { status },
    always: () => true,
    hashFiles: (path: string) => (files.includes(path) ? 'hash' : ''),
    format: (text: string, ...values: unknown[]) =>
      text.replace(/\{(\d)\}/g, (_, index) => String(values[index])),
  };
  return new Function(...Object.keys(names), `return (${script});`)(...Object.values(names));
}
