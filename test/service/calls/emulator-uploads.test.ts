import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { MediaService } from '../../../src/service/index.ts';
import {
  type EmulatorProcessOptions,
  startEmulatorProcess,
} from '../../support/service/emulator-process.ts';
import { failureOf, scriptedClient } from '../scripted-service.ts';

async function start(options: EmulatorProcessOptions) {
  const emulator = await startEmulatorProcess(options);
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
    ...(options.uploadNames && {
      uploadFields: { filename: 'name_of_file', size: 'bytes', folder: 'place' },
    }),
  });
  const [root] = await service.folders.tree();
  return { emulator, service, folder: root?.id ?? 0 };
}

async function idsIn(service: MediaService, folder: number): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of service.folders.files(folder)) ids.push(id);
  return ids;
}

const content = randomBytes(150_000);

test.for<[string, EmulatorProcessOptions]>([
  ['an absolute uploadURL', {}],
  ['a relative one', { uploadUrl: 'relative' }],
  ['one of another host', { uploadUrl: 'other-host' }],
  ['an array of one', { fileRecord: 'array' }],
  ['other names', { uploadNames: 'name_of_file,bytes,place' }],
])('uploads a file to the emulator with %s and changes its metadata', async ([, options]) => {
  const { service, folder } = await start(options);
  const { id } = await service.files.upload(content, {
    filename: 'light.bin',
    folder,
    fields: { alttext: 'The light' },
  });
  const download = await service.files.original(id ?? 0);
  if (download.status !== 'received') throw new Error(download.status);
  expect((await buffer(download.body)).equals(content)).toBe(true);
  const record = await service.files.update(id ?? 0, { photographer: 'Ayşe' });
  expect(record).toMatchObject({ id, filename: 'light.bin', fields: { alttext: 'The light' } });
});

test('names the one record if the answer to its content is lost', async () => {
  const { emulator, service, folder } = await start({});
  await emulator.setFaults([{ call: 'upload', kind: 'reset-after', times: 1 }]);
  const error = await failureOf(service.files.upload(content, { filename: 'light.bin', folder }));
  const [id, ...others] = await idsIn(service, folder);
  expect(others).toEqual([]);
  expect(error).toMatchObject({
    code: 'upload-incomplete',
    message: expect.stringMatching(`asset ${id} exists in the service`),
  });
});

test('creates no second record if the answer to the first step is lost', async () => {
  const { emulator, service, folder } = await start({});
  await emulator.setFaults([{ call: 'file-create', kind: 'reset-after', times: 1 }]);
  const error = await failureOf(service.files.upload(content, { filename: 'light.bin', folder }));
  expect(error).toMatchObject({ code: 'upload-unanswered' });
  const sent = emulator.log().filter(({ method, path }) => method === 'POST' && path === '/1/file');
  expect(sent).toHaveLength(1);
});
