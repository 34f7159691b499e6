import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../src/emulator/index.ts';
import { listen } from '../../src/emulator/listen.ts';
import { createMediaService } from '../../src/service/index.ts';
import { drawTestImages } from '../support/images/test-images.ts';
import { childEnvironment } from '../support/process/compile-cache.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { canRunUnprivileged, unprivilegedUser } from '../support/process/unprivileged-user.ts';
import { startEmulatorProcess } from '../support/service/emulator-process.ts';
import { commandEntry } from '../support/site/built-folder.ts';

let media: string;
let data: string;

beforeAll(async () => {
  media = await drawTestImages([{ path: 'quay.png', width: 1600, height: 1200 }]);
  data = await mkdtemp(join(tmpdir(), 'data-'));
});

afterAll(() => Promise.all([media, data].map((folder) => rm(folder, { recursive: true }))));

describe('the process', () => {
  test('prints its URL first, then how to sign in', async () => {
    const words = [commandEntry, 'emulator', '--media', media, '--data', data, '--port', '0'];
    const child = spawn(process.execPath, words, { env: childEnvironment });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    await expect.poll(() => output.stdout).toContain('MEDIA_ASSET_REFRESH_TOKEN=');
    const [first = ''] = output.stdout.split('\n');
    const url = first.replace('Media Asset Service emulator: ', '');
    expect((await fetch(url)).status).toBe(200);
    for (const line of [
      `MEDIA_ASSET_BASE_URL=${url}`,
      'MEDIA_ASSET_CLIENT_ID=emulator',
      'MEDIA_ASSET_CLIENT_SECRET=emulator-secret',
      'MEDIA_ASSET_USERNAME=editor',
      'MEDIA_ASSET_PASSWORD=harbour',
    ])
      expect(output.stdout).toContain(`  ${line}\n`);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(output.stderr).toBe('');
  });

  test('exits with 0 on SIGTERM after finishing the request in progress', async () => {
    const emulator = await startEmulatorProcess({ media, data });
    await emulator.setFaults([{ call: 'custom-format', kind: 'latency', ms: 600_000 }]);
    const download = emulator.fetch('/1/file/4711/download/-1?x1=0&y1=0&w=1600&h=1200');
    await expect
      .poll(() => emulator.log().at(-1))
      .toMatchObject({ path: '/1/file/4711/download/-1', status: null });
    const stopped = emulator.stop();
    const response = await download;
    const { byteLength } = await response.arrayBuffer();
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Length')).toBe(String(byteLength));
    expect(await stopped).toBe(0);
    expect(emulator.log().at(-1)).toMatchObject({ status: 200 });
    expect(existsSync(join(data, 'emulator.sqlite-wal'))).toBe(false);
    await expect(fetch(emulator.url)).rejects.toThrow();
  });

  test('continues after a kill during a request', async () => {
    const emulator = await startEmulatorProcess({ media, data });
    await emulator.setFaults([{ call: 'usage-list', kind: 'latency', ms: 600_000 }]);
    const cut = expect(emulator.fetch('/1/file/4711/usage')).rejects.toThrow();
    await expect.poll(() => emulator.log().at(-1)).toMatchObject({ path: '/1/file/4711/usage' });
    await emulator.restart('SIGKILL');
    await cut;
    expect((await emulator.fetch('/1/file/4711/usage')).status).toBe(200);
    await emulator.stop();
  });

  test('ends when its test runner dies', async () => {
    const entry = fileURLToPath(
      new URL('../../playground/scripts/processes/run-emulator.ts', import.meta.url),
    );
    const flags = ['--media', media, '--data', data];
    const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const;
    const child = spawn(process.execPath, [entry, ...flags], { stdio: [...stdio] });
    await once(child.stdout ?? child, 'data');
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('start errors', () => {
  test('a media folder that is missing or a file, and nothing is created', async () => {
    const fresh = join(data, 'fresh');
    await expect(startEmulator({ media: join(media, 'no'), data: fresh })).rejects.toMatchObject({
      code: 'emulator-media-unusable',
      message: expect.stringContaining(join(media, 'no')),
    });
    expect(existsSync(fresh)).toBe(false);
    const options = { media: join(media, 'quay.png'), data };
    await expect(startEmulator(options)).rejects.toMatchObject({ code: 'emulator-media-unusable' });
  });

  test('the same media and data folder, and nothing is written to it', async () => {
    const before = await readdir(media);
    for (const same of [media, join(media, '.')])
      await expect(startEmulator({ media, data: same })).rejects.toMatchObject({
        code: 'emulator-data-unusable',
        message: expect.stringContaining("it's the media folder"),
      });
    expect(await readdir(media)).toEqual(before);
  });

  test.skipIf(!canRunUnprivileged())('a media folder without read permission', async () => {
    const locked = join(media, 'locked');
    await mkdir(locked);
    await chmod(locked, 0);
    await chmod(media, 0o755);
    const own = join(tmpdir(), `data-${randomUUID()}`);
    const words = [commandEntry, 'emulator', '--media', media, '--data', own, '--port', '0'];
    const { status, stderr } = spawnSync(process.execPath, words, unprivilegedUser);
    for (const folder of [locked, own]) await rm(folder, { recursive: true });
    expect(status).toBe(1);
    expect(`${stderr}`).toContain(`The media folder ${locked} can't be used: it couldn't be read.`);
    expect(`${stderr}`).not.toMatch(/^\s+at /m);
  });

  test('a data folder in use by this or another process', async () => {
    const shared = join(data, 'shared');
    const refusal = {
      code: 'emulator-data-unusable',
      message: expect.stringContaining(shared),
    };
    const first = await startEmulatorProcess({ media, data: shared });
    await expect(startEmulator({ media, data: shared })).rejects.toMatchObject(refusal);
    await first.kill();
    const second = await startEmulator({ media, data: shared });
    await expect(startEmulator({ media, data: shared })).rejects.toMatchObject(refusal);
    await expect(startEmulatorProcess({ media, data: shared })).rejects.toThrow(
      /another emulator is using it/,
    );
    await second.close();
    await (await startEmulator({ media, data: shared })).close();
  });

  test('a data folder that is a file, or has another or newer database', async () => {
    const file = join(data, 'file');
    await writeFile(file, '');
    const broken = join(data, 'broken');
    await mkdir(broken);
    await writeFile(join(broken, 'emulator.sqlite'), 'no database, but more than 16 bytes');
    const newer = join(data, 'newer');
    await mkdir(newer);
    const database = new DatabaseSync(join(newer, 'emulator.sqlite'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    const problems = [
      [file, 'EEXIST'],
      [join(file, 'below'), 'ENOTDIR'],
      [broken, 'not a database'],
      [newer, 'it has version 99'],
    ] as const;
    for (const [folder, problem] of problems)
      await expect(startEmulator({ media, data: folder })).rejects.toMatchObject({
        code: 'emulator-data-unusable',
        message: expect.stringMatching(new RegExp(`^.*${folder} .*${problem}`)),
      });
  });

  test.each(['alt text', 'alttext,', '1'])('invalid fields: %s', async (fields) => {
    const started = startEmulator({ media, data, fields });
    await expect(started).rejects.toMatchObject({ code: 'argument-invalid' });
    await expect(started).rejects.toThrow(
      `startEmulator(): fields is "${fields}"; expected names, such as a,b.`,
    );
  });

  test('an invalid port', async () => {
    await expect(startEmulator({ media, data, port: 70_000 })).rejects.toThrow(/port .*70000/);
  });
});

const picture = { path: 'boats/ferry.png', width: 30, height: 20 };

/** Signs in and makes a call. */
async function readTree({ environment }: Emulator): Promise<void> {
  const variable = (name: string) => environment[`MEDIA_ASSET_${name}`] ?? '';
  const [username, password] = [variable('USERNAME'), variable('PASSWORD')];
  const service = createMediaService({
    baseUrl: variable('BASE_URL'),
    accountsUrl: variable('ACCOUNTS_URL'),
    clientId: variable('CLIENT_ID'),
    clientSecret: variable('CLIENT_SECRET'),
    credentials: { kind: 'password', username, password },
  });
  await service.folders.tree();
}

describe('startEmulator without options', () => {
  test('creates folders, notices new files, and removes everything at the end', async () => {
    const emulator = await startEmulator();
    expect(emulator.assets()).toEqual([]);
    await drawTestImages([picture], emulator.media);
    const asset = { id: 4711, path: picture.path, name: 'ferry.png', title: 'ferry' };
    expect(emulator.assets()).toEqual([{ ...asset, folder: 'boats', metadata: {} }]);

    await readTree(emulator);
    expect(emulator.requests().map(({ path, status }) => `${status} ${path}`)).toEqual([
      '200 /1/oauth2/token',
      '200 /1/foldertree',
    ]);
    const authorize = await fetch(`${emulator.environment.MEDIA_ASSET_AUTH_URL}/authorize`);
    expect(authorize.status).toBe(400);

    await Promise.all([emulator.close(), emulator.close()]);
    expect(existsSync(emulator.media)).toBe(false);
    await expect(fetch(emulator.url)).rejects.toThrow();
  });

  test('sets environment variables for its settings', async () => {
    const emulator = await startEmulator({ clientId: 'museum', password: 'lantern' });
    expect(emulator.environment).toMatchObject({
      MEDIA_ASSET_BASE_URL: emulator.url,
      MEDIA_ASSET_CLIENT_ID: 'museum',
      MEDIA_ASSET_CLIENT_SECRET: 'emulator-secret',
      MEDIA_ASSET_PASSWORD: 'lantern',
      MEDIA_ASSET_UPLOAD_FIELDS: 'filename,size,folder',
      MEDIA_ASSET_REFRESH_TOKEN: '',
    });
    await emulator.close();
  });
});

describe('startEmulator with folders', () => {
  test('keeps them', async () => {
    const media = await drawTestImages([picture], await temporaryFolder('media'));
    const data = await temporaryFolder('data');
    const emulator = await startEmulator({ media, data, password: 'lantern' });
    await readTree(emulator);
    await emulator.close();
    expect(existsSync(join(media, picture.path))).toBe(true);
    expect(existsSync(join(data, 'emulator.sqlite'))).toBe(true);
    const moved = join(await temporaryFolder('data'), 'copy');
    await cp(data, moved, { recursive: true });
    const copy = await startEmulator({ media, data: moved });
    expect(copy.requests()).toHaveLength(2);
    await copy.close();
  });

  test('leaves a data folder inside the media folder out of the library', async () => {
    const both = await drawTestImages([picture], await temporaryFolder('media'));
    const local = await startEmulator({ media: both, data: join(both, 'data') });
    expect(local.assets()).toHaveLength(1);
    await local.close();
  });

  test('leaves nothing behind if one is invalid, and frees the port', async () => {
    const first = await startEmulator();
    await expect(startEmulator({ port: first.port })).rejects.toMatchObject({
      code: 'port-busy',
    });
    await expect(startEmulator({ media: join(first.media, 'none') })).rejects.toMatchObject({
      code: 'emulator-media-unusable',
    });
    await first.close();
    const again = await startEmulator({ port: first.port });
    expect(again.port).toBe(first.port);
    await again.close();
  });
});

describe('closing', () => {
  test('cuts connections that take too long', async () => {
    const arrived = Promise.withResolvers<void>();
    const never = () => {
      arrived.resolve();
      return new Promise<Response>(() => undefined);
    };
    const listener = await listen({ fetch: never }, 0);
    const request = fetch(`http://127.0.0.1:${listener.port}/`);
    const refused = expect(request).rejects.toThrow();
    await arrived.promise;
    await listener.close(50);
    await refused;
  });
});
