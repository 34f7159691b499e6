import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  closeConnection,
  failureOf,
  inTurn,
  json,
  ok,
  scriptedClient,
  startScriptedService,
  status,
} from '../scripted-service.ts';
import { fileToUpload, paths, record, steps } from './upload-steps.ts';

const { folder, path, content } = fileToUpload();

describe('failed content', () => {
  test('names the file and the record, hides the upload URL, and sets no metadata', async () => {
    const service = await startScriptedService({ respond: steps({ content: status(403) }) });
    const metadata = { folder: 3, fields: { alttext: 'The light' } };
    const error = await failureOf(scriptedClient(service.url).files.upload(path, metadata));
    expect(error).toMatchObject({
      code: 'upload-incomplete',
      status: 403,
      message: expect.stringContaining(`${path} wasn't uploaded completely: asset 812 exists`),
    });
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('s3cr3t-signature');
    expect(paths(service.requests)).toEqual(['POST /1/file', 'POST /1/upload/812']);
  });

  test('is sent again from the start after a temporary failure', async () => {
    const service = await startScriptedService({
      respond: steps({ content: inTurn(closeConnection, status(503), status(401), ok) }),
    });
    await scriptedClient(service.url).files.upload(path, { folder: 3 });
    const sent = service.requests.slice(1).map(({ bytes }) => bytes.equals(content));
    expect(sent).toEqual([true, true, true, true]);
  });

  test.for([
    ['is refused with 409', status(409), 2],
    ['is lost each time', closeConnection, 5],
  ] as const)('names its only record if it %s', async ([, content, requests]) => {
    const service = await startScriptedService({ respond: steps({ content }) });
    const error = await failureOf(scriptedClient(service.url).files.upload(path, { folder: 3 }));
    expect(error).toMatchObject({
      code: 'upload-incomplete',
      message: expect.stringContaining('asset 812 exists in the service'),
    });
    expect(service.requests).toHaveLength(requests);
    expect(paths(service.requests).filter((one) => one === 'POST /1/file')).toHaveLength(1);
  });

  test('is distinguished from refused metadata', async () => {
    const service = await startScriptedService({ respond: steps({ update: status(400) }) });
    const metadata = { folder: 3, fields: { alttext: 'The light' } };
    const error = await failureOf(scriptedClient(service.url).files.upload(path, metadata));
    expect(error).toMatchObject({
      code: 'upload-not-updated',
      status: 400,
      message: expect.stringContaining('was uploaded as asset 812'),
    });
  });

  test('ends when its signal fires', async () => {
    const controller = new AbortController();
    const service = await startScriptedService({ respond: steps({}) });
    const { files } = scriptedClient(service.url);
    const work = files.upload(
      path,
      { folder: 3 },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    const error = await failureOf(work);
    expect(error).toMatchObject({ code: 'upload-incomplete', cause: { code: 'call-ended' } });
  });

  test("isn't sent if its signal has already fired", async () => {
    const service = await startScriptedService({ respond: steps({}) });
    const work = scriptedClient(service.url).files.upload(
      path,
      { folder: 3 },
      { signal: AbortSignal.abort() },
    );
    expect(await failureOf(work)).toMatchObject({ code: 'call-ended', effect: 'none' });
    expect(service.requests).toEqual([]);
  });
});

describe('a file that changes during its upload', () => {
  test('fails if it grows, and never arrives completely', async () => {
    const file = join(folder, 'growing.bin');
    await writeFile(file, content);
    const service = await startScriptedService({ respond: steps({}) });
    let changed = false;
    const work = scriptedClient(service.url).files.upload(
      file,
      { folder: 3 },
      {
        onProgress: () => {
          if (!changed) appendFileSync(file, 'more');
          changed = true;
        },
      },
    );
    const error = await failureOf(work);
    expect(error).toMatchObject({
      code: 'upload-incomplete',
      cause: { code: 'upload-source-unusable' },
    });
    expect((error as Error).message).toContain('it had 200000 bytes and now has 200004');
    expect(paths(service.requests)).toEqual(['POST /1/file']);
  });

  test('fails if it shrinks', async () => {
    const file = join(folder, 'shrinking.bin');
    await writeFile(file, content);
    const service = await startScriptedService({
      respond: steps({
        record: async (to) => {
          await writeFile(file, 'cut');
          json(to, record);
        },
      }),
    });
    const error = await failureOf(scriptedClient(service.url).files.upload(file, { folder: 3 }));
    expect(error).toMatchObject({ cause: { code: 'upload-source-unusable' } });
  });
});
