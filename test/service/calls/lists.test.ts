import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filesCall, listFiles } from '../../../src/service/calls/list-files.ts';
import type { Ask } from '../../../src/service/calls/page-through.ts';
import type { FileRecord, ListRequest, MediaService } from '../../../src/service/index.ts';
import {
  failureOf,
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
} from '../scripted-service.ts';
import {
  announcements,
  byOffset,
  type File,
  filesFrom,
  pageFrom,
  pagings,
  type Serving,
  stating,
} from './paged-answers.ts';

/** A paging service without a network, with a limit for its requests. */
function pagedService(serving: Serving, files: readonly File[], size: number) {
  const requests: string[] = [];
  const ask: Ask = async ({ request: { url } }, read) => {
    requests.push(url);
    if (requests.length > files.length + 10) throw new Error('asked for ever');
    const { json, link } = serving(new URL(url), files, size);
    const reading = read(json, new Headers(link ? { link } : {}));
    if ('problem' in reading) throw new Error(reading.problem);
    return reading.value;
  };
  return { requests, ask };
}

const idsOf = (list: AsyncIterable<FileRecord>) => Array.fromAsync(list, ({ id }) => id);

/** The error of a list, and the IDs before it. */
async function failingList(list: AsyncIterable<FileRecord>) {
  const seen: number[] = [];
  const error = await failureOf(Array.fromAsync(list, ({ id }) => seen.push(id)));
  return { error, seen };
}

describe.for(Object.keys(pagings))('a list paged by %s', (paging) => {
  const serving = pagings[paging] as Serving;

  test('returns each record once, in order, for any page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 1e6 }), { maxLength: 25 }),
        fc.integer({ min: 1, max: 9 }),
        async (ids, size) => {
          const files = ids.map((id) => ({ id, filename: `${id}.png` }));
          const { ask } = pagedService(serving, files, size);
          expect(await idsOf(listFiles(filesCall('https://dam.example', 12), ask))).toEqual(ids);
        },
      ),
    );
  });

  test('returns all records of many lists, each with what the lists before it have shown', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 25 }), { minLength: 2, maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        async (lengths, size) => {
          const memory = { whole: 0 };
          for (const length of lengths) {
            const files = filesFrom(1, length);
            const { ask } = pagedService(serving, files, size);
            const list = listFiles(filesCall('https://dam.example', 12), ask, memory);
            expect(await idsOf(list)).toEqual(files.map(({ id }) => id));
          }
        },
      ),
    );
  });
});

const unpaged: Serving = (_, files) => ({ json: files });

test.for<[paging: string, serving: Serving, requests: number[]]>([
  ['no page', unpaged, [4, 1, 1, 4, 1]],
  ['pages from 1', pageFrom(1), [3, 2, 2, 3, 2]],
  ['an offset', byOffset, [4, 2, 2, 3, 2]],
])('a service with %s shows it once', async ([, serving, expected]) => {
  const memory = { whole: 0 };
  const counts: number[] = [];
  for (const length of [4, 3, 1, 6, 5]) {
    const { ask, requests } = pagedService(serving, filesFrom(1, length), 5);
    await idsOf(listFiles(filesCall('https://dam.example', 12), ask, memory));
    counts.push(requests.length);
  }
  expect(counts).toEqual(expected);
});

/** A real service with one folder of files. */
async function library(answer: Respond) {
  const service = await startScriptedService({ respond: answer });
  return { service, client: scriptedClient(service.url, { attempts: 1 }) };
}
const answering =
  (serving: Serving, files: readonly File[], size: number): Respond =>
  (response, { url, headers }) => {
    const answer = serving(new URL(url, `http://${headers.host}`), files, size);
    if (answer.link !== undefined) response.setHeader('link', answer.link);
    json(response, answer.json);
  };
type List = (client: MediaService, request?: ListRequest) => AsyncIterable<FileRecord>;
const lists: Record<string, List> = {
  'the files of a folder': ({ folders }, request) => folders.files(12, request),
  'a search': ({ search }, request) => search('boat', request),
};

describe.for(Object.entries(lists))('%s', ([, list]) => {
  test('requests a page only when the caller reaches it', async () => {
    const { service, client } = await library(answering(byOffset, filesFrom(1, 20), 5));
    for await (const { id } of list(client)) if (id === 3) break;
    expect(service.requests).toHaveLength(1);
  });

  test.for([
    [{ total: 4 }, {}],
    [{ total: { value: 4 } }, {}],
    [{ next: null }, {}],
    [{ hasMore: false }, {}],
    [{ links: { next: '' } }, {}],
    [{ next_cursor: null }, {}],
    [{ truncated: false }, {}],
    [{ last: true, totalPages: 1 }, {}],
    [{ has_more: false, next_cursor: 'b2Zmc2V0' }, {}],
    [{ remaining: 0 }, {}],
    [{ pages: 1 }, {}],
    [{ cursor: null }, {}],
    [{ cursor: { next: null } }, {}],
    [{ skip: 0, total: 4 }, {}],
    [{ offset: 0, remaining: 0 }, {}],
    [{ complete: true }, {}],
    [{ meta: { pagination: { total: 4 } } }, {}],
    [
      {
        links: [
          { rel: 'self', href: '/1' },
          { rel: 'next', href: null },
        ],
      },
      {},
    ],
    [{}, { 'X-Total-Count': '4' }],
    [{}, { 'X-Next-Page': '' }],
    [{}, { 'Content-Range': 'files 0-3/4' }],
    [{}, { 'Content-Range': '0-3/4' }],
  ])('requests once if nothing more is announced: %j', async ([whole, headers]) => {
    const { service, client } = await library((response) => {
      for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
      json(response, { files: filesFrom(1, 4), ...whole });
    });
    expect(await idsOf(list(client))).toEqual([1, 2, 3, 4]);
    expect(service.requests).toHaveLength(1);
  });

  test('fails if a list ends before its total, by link, page or offset', async () => {
    for (const paging of ['a relative link', 'pages from 1', 'pages from 0', 'an offset']) {
      const shorter: Serving = (request, files, size) => {
        const { json, link } = (pagings[paging] as Serving)(request, files, size);
        const body = Array.isArray(json) ? { files: json } : (json as object);
        return { json: { ...body, total: files.length + 1 }, ...(link && { link }) };
      };
      const { client } = await library(answering(shorter, filesFrom(1, 7), 3));
      const error = await failureOf(idsOf(list(client)));
      expect([paging, error]).toMatchObject([paging, { code: 'answer-unexpected' }]);
      expect(String(error)).toContain('more than its 7 records');
    }
  });

  test('falls back to offsets if the service refuses pages', async () => {
    const { client } = await library((response, request) =>
      request.url.includes('page=')
        ? json(response, { error: 'unknown parameter: page' }, 400)
        : answering(byOffset, filesFrom(1, 5), 2)(response, request),
    );
    expect(await idsOf(list(client))).toEqual([1, 2, 3, 4, 5]);
  });

  test('ends at a missing page (404)', async () => {
    const { client } = await library((response, request) =>
      /page=[4-9]/.test(request.url)
        ? json(response, { error: 'no such page' }, 404)
        : answering(pageFrom(1), filesFrom(1, 6), 2)(response, request),
    );
    expect(await idsOf(list(client))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('returns a record once that moves to the next page meanwhile', async () => {
    const pages = [filesFrom(1, 3), filesFrom(3, 3), []];
    let turn = 0;
    const { client } = await library((response) => {
      const files = pages[turn] ?? [];
      turn += 1;
      json(response, { files, ...(turn < 3 && { next: `?turn=${turn}` }) });
    });
    expect(await idsOf(list(client))).toEqual([1, 2, 3, 4, 5]);
  });

  test.for([
    ['to itself', 2, () => '?turn=1'],
    ['in a circle', 3, (url: string) => (url.includes('turn=1') ? '?turn=2' : '?turn=1')],
    ['to ever new pages that repeat records', 7, (url: string) => `?turn=${url.length}${url}`],
  ] as const)('fails after the known records if a link leads %s', async ([, requests, next]) => {
    const { service, client } = await library((response, { url }) => {
      const files = url.includes('turn=') ? filesFrom(3, 2) : filesFrom(1, 2);
      json(response, { files, next: next(url) });
    });
    const code = requests === 7 ? 'list-unfinished' : 'answer-unexpected';
    const failure = await failingList(list(client, { maxPages: 7 }));
    expect(failure).toMatchObject({ error: { code }, seen: [1, 2, 3, 4] });
    expect(service.requests).toHaveLength(requests);
  });

  test("doesn't follow a link to another origin or send it the token", async () => {
    const other = await library(answering(byOffset, filesFrom(1, 5), 5));
    const { client } = await library((response) =>
      json(response, { files: filesFrom(1, 2), next: `${other.service.url}/1/files?page=2` }),
    );
    const { error, seen } = await failingList(list(client));
    expect(error).toMatchObject({ code: 'answer-unexpected' });
    expect(String(error)).toContain(`leads to ${other.service.url}`);
    expect(seen).toEqual([1, 2]);
    expect(other.service.requests).toEqual([]);
  });

  test.for([
    ['an invalid URL', 'http://'],
    ['credentials', 'http://user:pass@127.0.0.1:1/?'],
    ['a file: URL', 'file:///etc/passwd'],
  ])("doesn't follow a link with %s", async ([, next = '']) => {
    const { client } = await library((response) => json(response, { files: [{ id: 1 }], next }));
    const error = await failureOf(idsOf(list(client)));
    expect(error).toMatchObject({ code: 'answer-unexpected' });
    expect(String(error)).not.toContain('user:pass');
  });

  test('reads further pages if an answer is a part of the list (206)', async () => {
    const { client } = await library((response, { url, headers }) => {
      const request = new URL(url, `http://${headers.host}`);
      json(response, pageFrom(1)(request, filesFrom(1, 5), 2).json, 206);
    });
    expect(await idsOf(list(client))).toEqual([1, 2, 3, 4, 5]);
  });

  test.for([
    [{ total: { value: 2, relation: 'gte' } }, {}],
    [{}, { 'Content-Range': 'bytes 0-1/2' }],
  ])("takes no total of something else for the list's: %j", async ([said, headers]) => {
    const { client } = await library((response, request) => {
      for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
      answering(
        stating(pageFrom(1), () => said ?? {}),
        filesFrom(1, 5),
        2,
      )(response, request);
    });
    expect(await idsOf(list(client))).toEqual([1, 2, 3, 4, 5]);
  });

  test('reads further pages if the total is less than what has arrived', async () => {
    const { client } = await library(
      answering(
        stating(pageFrom(1), () => ({ total: 0 })),
        filesFrom(1, 5),
        2,
      ),
    );
    expect(await idsOf(list(client))).toEqual([1, 2, 3, 4, 5]);
  });

  test('fails after 1000 pages if its links never end', async () => {
    let page = 0;
    const { service, client } = await library((response) => {
      page += 1;
      json(response, { files: [{ id: page }], next: `/1/more?cursor=${page}` });
    });
    const { error } = await failingList(list(client));
    expect(error).toMatchObject({ code: 'list-unfinished' });
    expect(String(error)).toContain('after 1000 records: it has more than 1000 pages');
    expect(service.requests).toHaveLength(1000);
  });

  test('fails if the number of pages is more than the service has', async () => {
    const lying = stating(pageFrom(1), () => ({ pages: 9 }));
    const { client } = await library(answering(lying, filesFrom(1, 5), 2));
    const error = await failureOf(idsOf(list(client)));
    expect(error).toMatchObject({ code: 'answer-unexpected' });
    expect(String(error)).toContain('more than its 5 records');
  });

  test('reads further pages if the number of pages is less than what has arrived', async () => {
    const lying = stating(pageFrom(1), () => ({ pages: 0 }));
    const { client } = await library(answering(lying, filesFrom(1, 5), 2));
    expect(await idsOf(list(client))).toEqual([1, 2, 3, 4, 5]);
  });

  test('fails if an empty page announces more', async () => {
    const { client } = await library((response) => json(response, { files: [], has_more: true }));
    expect(await failureOf(idsOf(list(client)))).toMatchObject({ code: 'answer-unexpected' });
  });

  test('fails if the service has more records but no way to get them', async () => {
    for (const [more, headers] of announcements) {
      const { client } = await library((response) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        json(response, { files: filesFrom(1, 4), ...more });
      });
      const error = await failureOf(idsOf(list(client)));
      expect([more, headers, error]).toMatchObject([{}, {}, { code: 'answer-unexpected' }]);
      expect(String(error)).toContain('more than its 4 records');
    }
  });

  test.for([
    ['it has no list of files', {}, 'received: {}'],
    ['it has no list of files', { files: 'none' }, '{files}'],
    ['it has no list of files', { file: { id: 4711 } }, '{file}'],
    ['it has no list of files', 'files', ''],
    ['more than one of its fields', { files: [], results: [] }, '{files, results}'],
    ['more than one of its fields', { data: { files: [{ id: 1 }], items: [] } }, '{data}'],
    ['it has no list of files', { mine: [{ id: 1 }] }, '{mine}'],
    ['it has no list of files', { signed: 'sig-8f3a91', a: [1] }, '{signed, a}'],
    ['entry 1 of the list has no ID', [{ id: 0 }], ''],
    ['entry 1 of the list has no ID', ['4711'], '1 × string'],
    ['entry 1 of the list has no ID', [{ error: 'no such folder' }], 'no such folder'],
  ] as const)('is refused: %s in %j', async ([problem, answer, came]) => {
    const { client } = await library((response) => json(response, answer));
    const error = await failureOf(idsOf(list(client)));
    expect(error).toMatchObject({ code: 'answer-unexpected' });
    expect(String(error)).toContain(problem);
    expect(String(error)).toContain(came);
    expect(String(error)).not.toContain('sig-8f3a91');
  });

  test("doesn't mistake a file's status for the answer's", async () => {
    const files = [{ id: 1, status: 'failed', error: 'no preview' }];
    const { client } = await library((response) => json(response, files));
    expect(await idsOf(list(client))).toEqual([1]);
  });
});

test.for(announcements)('a list of usages is refused if more is announced: %j', async (more) => {
  const [announced, headers] = more;
  const usages = [1, 2, 3, 4].map((page) => ({ page: `https://www.example.org/${page}/` }));
  const { client } = await library((response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    json(response, { usages, ...announced });
  });
  const error = await failureOf(client.usages.list(4711));
  expect(error).toMatchObject({ code: 'answer-unexpected' });
  expect(String(error)).toContain('more than its 4 records');
});

test.for(['', 'usages 0-0/*', 'usages 0-0/319', '0-0/319'])(
  'a list of usages is refused if it is a part (206), with Content-Range: %s',
  async (range) => {
    const { client } = await library((response) => {
      if (range) response.setHeader('Content-Range', range);
      json(response, { usages: [{ page: 'https://www.example.org/' }] }, 206);
    });
    const error = await failureOf(client.usages.list(4711));
    expect(error).toMatchObject({ code: 'answer-unexpected', status: 206 });
  },
);

test.for([
  ...announcements,
  [{ links: [{ rel: 'next', href: '/1/foldertree?page=2' }] }, {}] as const,
])('a folder tree is refused if more is announced: %j', async ([announced, headers]) => {
  const folders = [{ id: 1, children: [{ id: 2 }, { id: 3 }] }, { id: 4 }];
  const { client } = await library((response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    json(response, { folders, ...announced });
  });
  const error = await failureOf(client.folders.tree());
  expect(error).toMatchObject({ code: 'answer-unexpected' });
  expect(String(error)).toContain('it announces more folders than it has');
});

describe('a list limit', () => {
  const endless: Respond = (response, { url }) => {
    const page = Number(/page=(\d+)/.exec(url)?.[1] ?? 1);
    json(response, filesFrom(1 + (page - 1) * 10, 10));
  };

  test.for([
    [{ maxPages: 7 }, 'after 60 records', 'more than 7 pages'],
    [{ maxRecords: 25 }, 'after 25 records', 'more than 25 records'],
  ] as const)(
    '%j ends the list with an error after the last allowed record',
    async ([limit, ...said]) => {
      const { client } = await library(endless);
      const { error, seen } = await failingList(client.search('boat', limit));
      expect(error).toMatchObject({ code: 'list-unfinished' });
      for (const text of said) expect(String(error)).toContain(text);
      expect(said[0]).toBe(`after ${seen.length} records`);
    },
  );

  test('allows exactly that number of records', async () => {
    const { client } = await library(answering(byOffset, filesFrom(1, 25), 10));
    expect(await idsOf(client.search('boat', { maxRecords: 25 }))).toHaveLength(25);
  });

  test('can also be an abort signal', async () => {
    const { service, client } = await library(endless);
    const controller = new AbortController();
    const reason = new Error('enough');
    const error = await failureOf(
      (async () => {
        for await (const { id } of client.search('boat', { signal: controller.signal })) {
          if (id === 10) controller.abort(reason);
        }
      })(),
    );
    expect(error).toBe(reason);
    expect(service.requests).toHaveLength(1);
  });
});
