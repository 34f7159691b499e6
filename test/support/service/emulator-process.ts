import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQLOutputValue } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { inTransaction, openDatabase } from '../../../src/emulator/library/open-database.ts';
import {
  createUsageRecords,
  type StoredUsage,
} from '../../../src/emulator/library/usage-records.ts';
import { type BentRequest, listBentRequests } from '../bends/bend-log.ts';
import type { BentEmulatorOptions, SettingChanges } from '../bends/bent-emulator.ts';
import type { Answer, Control, Started } from '../bends/bent-process.ts';
import type { FaultState } from '../bends/faults/active-faults.ts';
import type { Fault } from '../bends/faults/faults.ts';
import { childEnvironment } from '../process/compile-cache.ts';

const entry =
  process.env.EMULATOR_BUNDLE ??
  fileURLToPath(new URL('../bends/bent-process.ts', import.meta.url));

/** The other variables of an emulator's environment override a site's `.env` file. */
const variables = [
  'MEDIA_ASSET_BASE_URL',
  'MEDIA_ASSET_ACCOUNTS_URL',
  'MEDIA_ASSET_AUTH_URL',
  'MEDIA_ASSET_CLIENT_ID',
  'MEDIA_ASSET_CLIENT_SECRET',
  'MEDIA_ASSET_USERNAME',
  'MEDIA_ASSET_PASSWORD',
];

/** Milliseconds until the emulator must listen or end. */
const timeLimit = 20_000;

export interface EmulatorProcessOptions
  extends Omit<BentEmulatorOptions, 'media' | 'data' | 'port' | 'faults' | 'clock' | 'onFault'> {
  /** Media folder. Default: a new, empty one. */
  readonly media?: string;
  /** Data folder. Default: a new one. */
  readonly data?: string;
  /** Default: a free port. */
  readonly port?: number;
}

/** A row of the emulator's table of usages, by column. */
export type UsageRow = Readonly<Record<string, SQLOutputValue>>;

/** An emulator in its own process. */
export interface EmulatorProcess {
  readonly url: string;
  readonly port: number;
  readonly mediaDir: string;
  readonly dataDir: string;
  /** The variables that a site needs to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** All output to stdout and stderr so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Every request since the start of the data folder or the last `clearLog`; sends none itself. */
  log(): BentRequest[];
  clearLog(): void;
  /** The usage records of one asset, or of all; sends no request. */
  usages(asset?: number): StoredUsage[];
  /** The usage records as stored in the database, to restore them later. Sends no request. */
  usageRows(): UsageRow[];
  replaceUsageRows(rows: readonly UsageRow[]): void;
  /** A new access token, by the password grant. */
  signIn(): Promise<string>;
  /** Sends a request with a token (default: a new one for each emulator). */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Replaces all faults, and restarts their counts and random numbers. */
  setFaults(faults: readonly Fault[]): Promise<void>;
  clearFaults(): Promise<void>;
  /** The faults, and how many requests each has matched and hit. */
  faults(): Promise<FaultState[]>;
  /** Changes settings while it runs. Omitted settings stay. */
  setSettings(changes: SettingChanges): Promise<void>;
  /** Deletes all usages and the log. Late requests in progress never take effect. */
  reset(): Promise<void>;
  /**
   * Ends it with SIGTERM and returns its exit code (null if a signal ended it). Folders that were
   * made for it are deleted unless `keep` is set.
   */
  stop(options?: { keep?: boolean }): Promise<number | null>;
  /** Ends it with SIGKILL and keeps its folders. */
  kill(): Promise<void>;
  /** Ends it with this signal, and starts it again with its folders, port and first settings. */
  restart(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts an emulator in its own process and waits until it listens. */
export async function startEmulatorProcess(
  options: EmulatorProcessOptions = {},
): Promise<EmulatorProcess> {
  const { media, data, port = 0, ...settings } = options;
  const own = await mkdtemp(join(tmpdir(), 'emulator-'));
  const mediaDir = media ?? join(own, 'media');
  const dataDir = data ?? join(own, 'data');
  if (media === undefined) await mkdir(mediaDir);

  const output = { stdout: '', stderr: '' };
  const start = async (port: number) => {
    const words = { ...settings, media: mediaDir, data: dataDir, port };
    const child = spawn(process.execPath, [entry, JSON.stringify(words)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: childEnvironment,
    });
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    return { child, ...(await listening(child)), control: createControl(child) };
  };
  let running = await start(port);
  const { url, environment } = running;
  const control = <T = void>(...call: Parameters<typeof running.control>) =>
    running.control<T>(...call);

  let token: Promise<string> | undefined;
  const signIn = async (): Promise<string> => {
    const response = await fetch(`${url}/1/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: environment.MEDIA_ASSET_CLIENT_ID ?? '',
        client_secret: environment.MEDIA_ASSET_CLIENT_SECRET ?? '',
        username: environment.MEDIA_ASSET_USERNAME ?? '',
        password: environment.MEDIA_ASSET_PASSWORD ?? '',
      }),
    });
    if (!response.ok) throw new Error(`Sign-in: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { access_token: string }).access_token;
  };
  return {
    url,
    port: Number(new URL(url).port),
    mediaDir,
    dataDir,
    env: Object.fromEntries(variables.map((name) => [name, environment[name] ?? ''])),
    output,
    log: () => withDatabase(dataDir, listBentRequests),
    clearLog: () => withDatabase(dataDir, (database) => database.exec('DELETE FROM request')),
    usages: (asset) =>
      withDatabase(dataDir, (database) => createUsageRecords(database, Date.now).list(asset)),
    usageRows: () =>
      withDatabase(dataDir, (database) => database.prepare('SELECT * FROM usage').all()),
    replaceUsageRows: (rows) =>
      withDatabase(dataDir, (open) =>
        inTransaction(open, (database) => {
          database.exec('DELETE FROM usage');
          for (const row of rows) {
            const columns = Object.keys(row);
            const places = columns.map(() => '?');
            database
              .prepare(`INSERT INTO usage (${columns}) VALUES (${places})`)
              .run(...Object.values(row));
          }
        }),
      ),
    signIn,
    async fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has('Authorization')) {
        token ??= signIn();
        headers.set('Authorization', `Bearer ${await token}`);
      }
      return fetch(new URL(path, url), { ...init, headers });
    },
    setFaults: (faults) => control('setFaults', faults),
    clearFaults: () => control('setFaults', []),
    faults: () => control<FaultState[]>('faults'),
    setSettings: (changes) => control('setSettings', changes),
    reset: () => control('reset'),
    async stop({ keep = false } = {}) {
      const code = await end(running.child, 'SIGTERM');
      if (!keep) await rm(own, { recursive: true, force: true, maxRetries: 3 });
      return code;
    },
    async kill() {
      await end(running.child, 'SIGKILL');
    },
    async restart(signal = 'SIGTERM') {
      await end(running.child, signal);
      running = await start(Number(new URL(url).port));
      token = undefined;
    },
  };
}

function withDatabase<T>(
  dataDir: string,
  read: (database: ReturnType<typeof openDatabase>) => T,
): T {
  const database = openDatabase(dataDir);
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** Waits until it listens. */
async function listening(child: ChildProcess): Promise<Started> {
  const signal = AbortSignal.timeout(timeLimit);
  const [reply] = (await once(child, 'message', { signal })) as [Started | { problem: string }];
  if ('problem' in reply) throw new Error(`The emulator did not start: ${reply.problem}`);
  return reply;
}

/** Calls the controls of the emulator in its process. */
function createControl(child: ChildProcess) {
  const open = new Map<number, (result: unknown) => void>();
  let last = 0;
  child.on('message', ({ id, result }: Answer) => {
    open.get(id)?.(result);
    open.delete(id);
  });
  return <T = void>(name: Control['name'], value?: unknown): Promise<T> => {
    const id = ++last;
    child.send({ id, name, value } satisfies Control);
    return new Promise((resolve) => void open.set(id, (result) => resolve(result as T)));
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(timeLimit) });
  child.kill(signal);
  await exited;
  return child.exitCode;
}
