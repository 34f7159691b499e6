import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { UploadError, type UploadResume } from '../../src/service/index.ts';
import { clientOf, failureOf, json, ok, type Respond, serve } from './scripted-service.ts';

const content = new TextEncoder().encode('harbour light');
const metadata = { filename: 'light.txt', folder: 3 };

const withRecord =
  (record: object): Respond =>
  (response, request) =>
    request.url === '/1/file' ? json(response, record) : ok(response);

const paths = (requests: readonly { url: string }[]) =>
  requests.map(({ url }) => url.split('?')[0] ?? '');

test('tells of a record before a byte of its content goes out, and waits', async () => {
  const service = await serve({ respond: withRecord({ id: 812, uploadURL: '/1/upload/812?s=1' }) });
  let kept = '';
  const uploaded = await clientOf(service.url).files.upload(content, metadata, {
    async onRecord(resume) {
      // Whatever did not wait would come before the last of these.
      for (let round = 0; round < 5; round += 1) await fetch(`${service.url}/other`);
      const sent = paths(service.requests).filter((path) => path !== '/other');
      kept = JSON.stringify({ resume, sent });
    },
  });
  expect(uploaded).toEqual({ id: 812 });
  expect(JSON.parse(kept)).toEqual({
    resume: {
      id: 812,
      uploadUrl: `${service.url}/1/upload/812?s=1`,
      size: content.length,
      uploaded: false,
    },
    sent: ['/1/file'],
  });
});

test('goes on with what it told, and does not tell again', async () => {
  const service = await serve({ respond: withRecord({ id: 812, uploadURL: '/1/upload/812' }) });
  const { files } = clientOf(service.url);
  const told: UploadResume[] = [];
  const onRecord = (resume: UploadResume) => told.push(resume);
  await files.upload(content, metadata, { onRecord });
  await files.upload(content, metadata, { onRecord, resume: told[0] });
  expect(told).toHaveLength(1);
  expect(paths(service.requests)).toEqual(['/1/file', '/1/upload/812', '/1/upload/812']);
});

test('sends nothing where what is told cannot be kept, and can go on', async () => {
  const service = await serve({
    respond: withRecord({ id: 812, uploadURL: '/1/upload/812?s3cr3t' }),
  });
  const { files } = clientOf(service.url);
  const onRecord = () => Promise.reject(new Error('no room'));
  const error = await failureOf(files.upload(content, metadata, { onRecord }));
  if (!(error instanceof UploadError)) throw error;
  expect(error).toMatchObject({ code: 'upload-incomplete', effect: 'unknown' });
  expect(error.message).toMatch(/asset 812 exists in the service.*no room/);
  expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('s3cr3t');
  expect(paths(service.requests)).toEqual(['/1/file']);
  expect(await files.upload(content, metadata, { resume: error.resume })).toEqual({ id: 812 });
});

test.for(['http://files.example/up?s3cr3t', 'https://10.0.0.8/up?s3cr3t', 'https://'])(
  'keeps the record whose address %s is refused, and asks for no other',
  async (uploadURL) => {
    const service = await serve({ respond: withRecord({ id: 812, uploadURL }) });
    const { files } = clientOf(service.url);
    const error = await failureOf(files.upload(content, metadata));
    if (!(error instanceof UploadError)) throw error;
    expect(error.code).toBe('upload-url-refused');
    expect(error.resume).toMatchObject({ id: 812, size: content.length, uploaded: false });
    const resume = JSON.parse(JSON.stringify(error.resume));
    const again = await failureOf(files.upload(content, metadata, { resume }));
    expect(again).toMatchObject({ code: 'upload-url-refused', resume });
    expect(inspect([error, again], { showHidden: true, depth: 9 })).not.toContain('s3cr3t');
    expect(paths(service.requests)).toEqual(['/1/file']);
  },
);

test('refuses an onRecord that is none', async () => {
  const upload = clientOf('https://dam.example').files.upload as (...args: unknown[]) => unknown;
  const work = (async () => upload(content, metadata, { onRecord: 'yes' }))();
  expect(await failureOf(work)).toMatchObject({ code: 'argument-invalid' });
});
