import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { drawTestImages } from '../support/images/test-images.ts';

const picture = { path: 'boats/ferry.png', width: 30, height: 20 };

async function signIn(environment: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(`${environment.MEDIA_ASSET_ACCOUNTS_URL}/1/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: environment.MEDIA_ASSET_CLIENT_ID ?? '',
      client_secret: environment.MEDIA_ASSET_CLIENT_SECRET ?? '',
      username: environment.MEDIA_ASSET_USERNAME ?? '',
      password: environment.MEDIA_ASSET_PASSWORD ?? '',
    }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { access_token: string }).access_token;
}

describe('startEmulator without options', () => {
  test('creates folders, notices new files, and removes everything at the end', async () => {
    const emulator = await startEmulator();
    expect(emulator.assets()).toEqual([]);
    await drawTestImages([picture], emulator.media);
    const asset = { id: 4711, path: picture.path, name: 'ferry.png', title: 'ferry' };
    expect(emulator.assets()).toEqual([{ ...asset, folder: 'boats', metadata: {} }]);

    const token = await signIn(emulator.environment);
    const response = await fetch(`${emulator.environment.MEDIA_ASSET_BASE_URL}/1/foldertree`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
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
    const media = await drawTestImages([picture]);
    const data = await mkdtemp(join(tmpdir(), 'data-'));
    const emulator = await startEmulator({ media, data, password: 'lantern' });
    await signIn(emulator.environment);
    await emulator.close();
    expect(existsSync(join(media, picture.path))).toBe(true);
    expect(existsSync(join(data, 'emulator.sqlite'))).toBe(true);
    await cp(data, `${data}-copy`, { recursive: true });
    const copy = await startEmulator({ media, data: `${data}-copy` });
    expect(copy.requests()).toHaveLength(1);
    await copy.close();
    for (const folder of [media, data, `${data}-copy`]) await rm(folder, { recursive: true });
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
