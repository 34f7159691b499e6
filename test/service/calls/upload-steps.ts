import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { json, ok, type Respond } from '../scripted-service.ts';

/** A record in the service's answer. */
export const record = { id: 812, uploadURL: '/1/upload/812?signature=s3cr3t-signature' };

/** Answers an upload's steps by path. */
export function steps(answers: { record?: Respond; content?: Respond; update?: Respond }): Respond {
  return (response, request) => {
    if (request.method === 'PUT') return (answers.update ?? ok)(response, request);
    const isRecord = request.url === '/1/file';
    const made: Respond = (to) => json(to, record);
    return (isRecord ? (answers.record ?? made) : (answers.content ?? ok))(response, request);
  };
}

/** Method and path of each request. */
export const paths = (requests: readonly { method: string; url: string }[]) =>
  requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`);

/** A file to upload, in its own folder. */
export function fileToUpload() {
  const folder = mkdtempSync(join(tmpdir(), 'uploads-'));
  const path = join(folder, 'harbour light.jpg');
  const content = randomBytes(200_000);
  writeFileSync(path, content);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, path, content };
}
