import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { closedPort } from '../../service/scripted-service.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { createBuiltFolder } from '../../support/site/built-folder.ts';

/** One way to answer every request wrongly. */
type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => void;

const redirect =
  (to: (request: IncomingMessage) => string): Misbehaviour =>
  (request, response) =>
    void response.writeHead(302, { Location: to(request) }).end();

/** Repeats parts of the request, like a careless service. */
const status =
  (code: number): Misbehaviour =>
  ({ headers }, response) => {
    const body = JSON.stringify({ error: `No: ${headers.authorization}` });
    response.writeHead(code, { 'Content-Type': 'application/json' }).end(body);
  };

/** Answers of a service, or of a gateway in front of it, to any call. */
const misbehaviours = {
  'an HTML page with 200': ({ headers }, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(`<!doctype html><title>${headers.authorization}</title>`);
  },
  'a redirect loop': redirect(({ url }) => url ?? '/'),
  'a redirect to http': redirect(() => 'http://192.0.2.1/'),
  'a redirect to a private address': redirect(() => 'https://192.168.0.1/'),
  'a body without end': (_, response) => {
    const more = 'a'.repeat(65_536);
    const write = () => {
      while (!response.destroyed && response.write(more));
    };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.on('drain', write).write('{"files":["');
    write();
  },
  'JSON a thousand levels deep': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end('{"a":'.repeat(1000) + 1 + '}'.repeat(1000));
  },
  'a status 403': status(403),
  'a status 404': status(404),
} satisfies Record<string, Misbehaviour>;

const refused = 'a refused connection';
type Case = keyof typeof misbehaviours | typeof refused;

/** The error code of a command; `undefined` if the answer is fine. */
type Codes = Readonly<Record<Case, string | undefined>>;

const codes: Codes = {
  'an HTML page with 200': 'answer-html',
  'a redirect loop': 'redirect-refused',
  'a redirect to http': 'redirect-refused',
  'a redirect to a private address': 'redirect-refused',
  'a body without end': 'answer-unexpected',
  'JSON a thousand levels deep': 'answer-unexpected',
  'a status 403': 'request-forbidden',
  'a status 404': 'request-refused',
  [refused]: 'service-unreachable',
};

const asset = { ...codes, 'a status 404': 'library-unknown' };
const folder = { ...codes, 'a status 404': 'library-unknown' };

/** Answers that are neither a record nor a refusal: a record may exist. */
const record: Codes = {
  ...folder,
  'an HTML page with 200': 'upload-unanswered',
  'a redirect loop': 'upload-unanswered',
  'a redirect to http': 'upload-unanswered',
  'a redirect to a private address': 'upload-unanswered',
  'a body without end': 'upload-unanswered',
  'JSON a thousand levels deep': 'upload-unanswered',
};

const bytes: Codes = {
  ...asset,
  // The largest download is tested with the client.
  'a body without end': undefined,
  // A JSON file is a valid original.
  'JSON a thousand levels deep': undefined,
};

const commands: readonly [words: string, codes: Codes][] = [
  ['folders', codes],
  ['files 2', folder],
  ['search quay', codes],
  ['record 4711', codes],
  ['usages 4711', asset],
  ['download 4711', bytes],
  ['upload mine.bin --folder 1', record],
  // Updates accept any JSON.
  ['update 4711 credit=Ada', { ...asset, 'JSON a thousand levels deep': undefined }],
];

describe.concurrent.each(commands)('%s', { timeout: 90_000 }, (words, expected) => {
  const cases = Object.entries(expected).filter(([, code]) => code !== undefined);

  test.each(cases as [Case, string][])(
    'fails for %s with [%s], shows no secret and leaves nothing behind',
    async (name, code) => {
      const isRefused = name === refused;
      const answer = isRefused ? () => {} : misbehaviours[name];
      const service = await startLocalServer((request, response) => {
        request.resume().once('end', () => answer(request, response));
      });
      const project = await createBuiltFolder();
      try {
        await project.write('mine.bin', 'mine');
        const { exitCode, stdout, stderr, output } = await project.command(words.split(' '), {
          HOME: project.dir,
          MEDIA_ASSET_BASE_URL: isRefused ? `http://127.0.0.1:${closedPort}` : service.url,
          MEDIA_ASSET_ACCESS_TOKEN: 'lantern-oil',
        });
        expect(exitCode).toBe(1);
        expect(stderr).toContain(`[${code}]`);
        expect(stdout).toBe(words.startsWith('upload') ? '0 files uploaded, 1 not.\n' : '');
        expect(output).not.toMatch(/lantern|^\s+at /m);
        expect(await readdir(project.dir)).toEqual(['mine.bin']);
        expect(await readFile(project.path('mine.bin'), 'utf8')).toBe('mine');
      } finally {
        await project.delete();
        await service.close();
      }
    },
  );
});
