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

const endless = 'a body without end';
const deepJson = 'JSON a thousand levels deep';

/** Repeats parts of the request, like a careless service. */
const status =
  (code: number): Misbehaviour =>
  ({ headers }, response) => {
    const body = JSON.stringify({ error: `No: ${headers.authorization}` });
    response.writeHead(code, { 'Content-Type': 'application/json' }).end(body);
  };

/** Answers of a service, or of a gateway in front of it, to any call, with the code of its error. */
const misbehaviours: readonly (readonly [name: string, code: string, Misbehaviour?])[] = [
  [
    'an HTML page with 200',
    'answer-html',
    ({ headers }, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end(`<!doctype html><title>${headers.authorization}</title>`);
    },
  ],
  ['a redirect loop', 'redirect-refused', redirect(({ url }) => url ?? '/')],
  ['a redirect to http', 'redirect-refused', redirect(() => 'http://192.0.2.1/')],
  ['a redirect to a private address', 'redirect-refused', redirect(() => 'https://192.168.0.1/')],
  [
    endless,
    'answer-unexpected',
    (_, response) => {
      const more = 'a'.repeat(65_536);
      const write = () => {
        while (!response.destroyed && response.write(more));
      };
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.on('drain', write).write('{"files":["');
      write();
    },
  ],
  [
    deepJson,
    'answer-unexpected',
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('{"a":'.repeat(1000) + 1 + '}'.repeat(1000));
    },
  ],
  ['a status 403', 'request-forbidden', status(403)],
  ['a status 404', 'request-refused', status(404)],
  ['a refused connection', 'service-unreachable'],
];

const missing = (code: string) => (code === 'request-refused' ? 'library-unknown' : code);

/** Each with the code of its error instead of a call's. */
const commands: readonly [words: string, codeOf: (code: string) => string][] = [
  ['folders', String],
  ['files 2', missing],
  ['search quay', String],
  ['record 4711', String],
  ['usages 4711', missing],
];

describe.concurrent.each(commands)('%s', { timeout: 90_000 }, (words, codeOf) => {
  test.each(misbehaviours.map(([name, code, answer]) => [name, codeOf(code), answer] as const))(
    'fails for %s with [%s], shows no secret and leaves nothing behind',
    async (_, code, answer) => {
      const service = await startLocalServer((request, response) => {
        request.resume().once('end', () => answer?.(request, response));
      });
      const project = await createBuiltFolder();
      try {
        await project.write('mine.bin', 'mine');
        const { exitCode, stdout, stderr, output } = await project.command(words.split(' '), {
          HOME: project.dir,
          MEDIA_ASSET_BASE_URL: answer ? service.url : `http://127.0.0.1:${closedPort}`,
          MEDIA_ASSET_ACCESS_TOKEN: 'lantern-oil',
        });
        expect(exitCode).toBe(1);
        expect(stderr).toContain(`[${code}]`);
        expect(stdout).toBe('');
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
