import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../support/service/local-server.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';

const usages = [{ url: 'https://harbour.example/', project: 'Harbour' }, 'odd'];

let server: LocalServer;
let folder: BuiltFolder;

beforeAll(async () => {
  folder = await createBuiltFolder();
  server = await startLocalServer((request, response) => {
    const list = request.url?.includes('/usage')
      ? usages
      : [{ id: 4711, name: 'quay' }, { id: 'odd' }];
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(list));
  });
});

afterAll(async () => {
  await server.close();
  await folder.delete();
});

test.each([
  [['folders'], 'quay'],
  [['files', '12'], 'quay'],
  [['search', 'quay'], 'quay'],
  [['usages', '4711'], 'harbour.example'],
])('%s shows the readable records and names the others on stderr', async (words, shown) => {
  const environment = { MEDIA_ASSET_BASE_URL: server.url, MEDIA_ASSET_ACCESS_TOKEN: 'token' };
  for (const json of [[], ['--json']]) {
    const { exitCode, stdout, stderr } = await folder.command([...words, ...json], environment);
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain(shown);
    expect(stderr).toMatch(/Skipped 1 record of the .*\n?.*\[records-skipped\]/);
  }
});
