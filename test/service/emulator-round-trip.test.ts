import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulatorProcess } from '../support/service/emulator-process.ts';
import { failureOf, scriptedClient, usage } from './scripted-service.ts';

test("a usage reported to the emulator is listed until it's removed", async () => {
  const media = await mkdtemp(join(tmpdir(), 'media-'));
  onTestFinished(() => rm(media, { recursive: true, force: true }));
  const picture = join(media, 'boat.png');
  await sharp({ create: { width: 64, height: 48, channels: 3, background: '#284' } })
    .png()
    .toFile(picture);
  await copyFile(picture, join(media, 'net.png'));
  const emulator = await startEmulatorProcess({ media });
  onTestFinished(async () => void (await emulator.stop()));
  const { env } = emulator;
  const service = scriptedClient(emulator.url, {
    clientId: env.MEDIA_ASSET_CLIENT_ID ?? '',
    clientSecret: env.MEDIA_ASSET_CLIENT_SECRET ?? '',
    credentials: {
      kind: 'password',
      username: env.MEDIA_ASSET_USERNAME ?? '',
      password: env.MEDIA_ASSET_PASSWORD ?? '',
    },
  });

  await service.usages.report(usage);
  expect(await service.usages.list(4712)).toMatchObject([
    { page: usage.page, project: usage.project, contact: usage.contact, date: usage.date },
  ]);
  await service.usages.report({ ...usage, removed: true });
  expect(await service.usages.list(4712)).toEqual([]);

  const download = await service.files.original(4711);
  if (download.status !== 'received') throw new Error(download.status);
  const original = await buffer(download.body);
  expect(original.equals(await readFile(picture))).toBe(true);
  const { validators } = download;
  expect(await service.files.original(4711, { validators })).toEqual({ status: 'unchanged' });

  const crop = await service.files.customFormat(4711, { x1: 8, y1: 4, w: 32, h: 16 });
  if (crop.status !== 'received') throw new Error(crop.status);
  expect(await sharp(await buffer(crop.body)).metadata()).toMatchObject({ width: 32, height: 16 });

  const outside = service.files.customFormat(4711, { x1: 60, y1: 0, w: 32, h: 16 });
  expect(await failureOf(outside)).toMatchObject({ code: 'request-refused', status: 400 });
  expect(await failureOf(service.files.original(99))).toMatchObject({ status: 404 });
});
