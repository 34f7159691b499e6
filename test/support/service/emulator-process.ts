import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SQLOutputValue } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { FaultState } from '../../../src/emulator/faults/active-faults.ts';
import type { FaultInput } from '../../../src/emulator/faults/fault-schema.ts';
import { inTransaction, openDatabase } from '../../../src/emulator/library/open-database.ts';
import { readUsageRecords, type UsageRecord } from '../../../src/emulator/library/usage-records.ts';
import { type LoggedRequest, listRequests } from '../../../src/emulator/request-log.ts';
import {
  type EmulatorChanges,
  type EmulatorSettingsInput,
  emulatorSwitches,
  resolveSettings,
} from '../../../src/emulator/settings.ts';
import { compileCache } from '../process/compile-cache.ts';

const entry = fileURLToPath(new URL('../../../src/emulator/main.ts', import.meta.url));

/** Milliseconds until the emulator must listen or end. */
const timeLimit = 20_000;

export interface EmulatorProcessOptions extends Omit<EmulatorSettingsInput, 'admin'> {
  /** Media folder. Default: a new, empty one. */
  readonly media?: string;
  /** Data folder. Default: a new one. Pass the earlier one to start the same service again. */
  readonly data?: string;
  /** Default: a free port. Pass the earlier one to start the same service again. */
  readonly port?: number;
}

/** A row of the emulator's table of usages, by column. */
export type UsageRow = Readonly<Record<string, SQLOutputValue>>;

/** An emulator in its own process. */
export interface EmulatorProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly mediaDir: string;
  readonly dataDir: string;
  /** The variables that a site needs to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** All output to stdout and stderr so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Every request since the start of the data folder or the last `clearLog`; sends none itself. */
  log(): LoggedRequest[];
  clearLog(): void;
  /** The usage records of one asset, or of all; sends no request. */
  usages(asset?: number): UsageRecord[];
  /** The usage records as stored in the database, to restore them later. Sends no request. */
  usageRows(): UsageRow[];
  replaceUsageRows(rows: readonly UsageRow[]): void;
  /** A new access token, by the password grant. */
  signIn(): Promise<string>;
  /** Sends a request with a token (default: a new one for each emulator). */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Replaces all faults, and restarts their counts and random numbers. */
  setFaults(faults: readonly FaultInput[]): Promise<void>;
  clearFaults(): Promise<void>;
  /** The faults, and how many requests each has matched and hit. */
  faults(): Promise<FaultState[]>;
  /** Changes settings while it runs. Omitted settings stay. */
  setSettings(changes: EmulatorChanges): Promise<void>;
  /** Deletes all usages and the log. Late requests in progress never take effect. */
  reset(): Promise<void>;
  /**
   * Ends it with SIGTERM and returns its exit code (null if a signal ended it). Folders that were
   * made for it are deleted unless `keep` is set.
   */
  stop(options?: { keep?: boolean }): Promise<number | null>;
  /** Ends it with SIGKILL and keeps its folders. */
  kill(): Promise<void>;
}

/** Starts an emulator in its own process and waits until it listens. */
export async function startEmulatorProcess(
  options: EmulatorProcessOptions = {},
): Promise<EmulatorProcess> {
  const { media, data, port = 0, ...input } = options;
  const settings = resolveSettings({ ...input, admin: true });
  const own = await mkdtemp(join(tmpdir(), 'emulator-'));
  const mediaDir = media ?? join(own, 'media');
  const dataDir = data ?? join(own, 'data');
  if (media === undefined) await mkdir(mediaDir);

  const child = spawn(
    process.execPath,
    [entry, '--media', mediaDir, '--data', dataDir, '--port', String(port), ...toFlags(settings)],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: { PATH: process.env.PATH, ...compileCache } },
  );
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const url = await listening(child, output);

  let token: Promise<string> | undefined;
  const signIn = async (): Promise<string> => {
    const { clientId, clientSecret, username, password } = settings;
    const response = await fetch(`${url}/1/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: clientId,
        client_secret: clientSecret,
        username,
        password,
      }),
    });
    if (!response.ok) throw new Error(`Sign-in: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { access_token: string }).access_token;
  };
  const admin = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/_emulator/${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid as number,
    mediaDir,
    dataDir,
    env: {
      MEDIA_ASSET_BASE_URL: url,
      MEDIA_ASSET_ACCOUNTS_URL: url,
      MEDIA_ASSET_AUTH_URL: url,
      MEDIA_ASSET_CLIENT_ID: settings.clientId,
      MEDIA_ASSET_CLIENT_SECRET: settings.clientSecret,
      MEDIA_ASSET_USERNAME: settings.username,
      MEDIA_ASSET_PASSWORD: settings.password,
    },
    output,
    log: () => readEmulatorLog(dataDir),
    clearLog: () => withDatabase(dataDir, (database) => database.exec('DELETE FROM request')),
    usages: (asset) => readEmulatorUsages(dataDir, asset),
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
    async setFaults(faults) {
      await admin('POST', 'faults', faults);
    },
    async clearFaults() {
      await admin('DELETE', 'faults');
    },
    async faults() {
      return ((await admin('GET', 'faults')) as { faults: FaultState[] }).faults;
    },
    async setSettings(changes) {
      await admin('PUT', 'settings', changes);
    },
    async reset() {
      await admin('POST', 'reset');
    },
    async stop({ keep = false } = {}) {
      const code = await end(child, 'SIGTERM');
      if (!keep) await rm(own, { recursive: true, force: true, maxRetries: 3 });
      return code;
    },
    async kill() {
      await end(child, 'SIGKILL');
    },
  };
}

/** The requests that an emulator has logged in its data folder, in the order of arrival. */
export function readEmulatorLog(dataDir: string): LoggedRequest[] {
  return withDatabase(dataDir, listRequests);
}

/** The usage records in an emulator's data folder, of one asset or of all, oldest first. */
function readEmulatorUsages(dataDir: string, asset?: number): UsageRecord[] {
  return withDatabase(dataDir, (database) => readUsageRecords(database, asset));
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

function toFlags(settings: Readonly<Record<string, unknown>>): string[] {
  return emulatorSwitches.flatMap(({ setting, flag, type }) => {
    const value = settings[setting];
    if (type === 'boolean') return value ? [`--${flag}`] : [];
    return [`--${flag}=${value}`];
  });
}

async function listening(child: ChildProcess, output: { stderr: string }): Promise<string> {
  if (child.stdout === null) throw new Error('The emulator has no standard output.');
  const lines = createInterface({ input: child.stdout });
  const controller = new AbortController();
  const ended = once(child, 'exit', { signal: controller.signal }).then(() => undefined);
  const first = once(lines, 'line', {
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(timeLimit)]),
  }).then(([line]) => String(line));
  try {
    const line = await Promise.race([first, ended]);
    const url = line?.match(/^Media Asset Service emulator: (http:\/\/127\.0\.0\.1:\d+)$/)?.[1];
    if (url === undefined) throw new Error(`The emulator did not start: ${line ?? output.stderr}`);
    return url;
  } finally {
    controller.abort();
    await Promise.allSettled([first, ended]);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(timeLimit) });
  child.kill(signal);
  await exited;
  return child.exitCode;
}
