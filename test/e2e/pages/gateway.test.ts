/**
 * Depends on answers, which are the same on every major of Astro:
 * @module-tag any-astro
 * @module-tag slow
 */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forwardRequest } from '../../support/service/forward-request.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { type Snapshot, useSite } from '../../support/site/site-with-service.ts';

/** A gateway's refusal of downloads. */
interface GatewayRefusal {
  readonly status: number;
  readonly type: 'text/html' | 'application/json';
  /** Default: all assets. */
  readonly id?: number;
  /** The gateway redirects downloads to another origin, which gives this answer. */
  readonly isForeign?: boolean;
}

/** A firewall or proxy in front of a service. Passes everything on until a test sets a refusal. */
interface Gateway {
  readonly url: string;
  refuse(refusal: GatewayRefusal | undefined): void;
  close(): Promise<void>;
}

const bodies = {
  'text/html': '<!doctype html><title>Request blocked</title>',
  'application/json': '{ "error": "No such file" }',
} as const;

async function startGateway(service: string): Promise<Gateway> {
  let refusal: GatewayRefusal | undefined;
  const server = await startLocalServer(async (request, response) => {
    const id = /^\/1\/file\/(\d+)\/download\//.exec(request.url ?? '')?.[1];
    const isRefused = id !== undefined && (refusal?.id ?? Number(id)) === Number(id);
    if (refusal && isRefused) {
      const { port } = server;
      const isHere = request.headers.host === `127.0.0.1:${port}`;
      if (refusal.isForeign && isHere) {
        const location = `http://localhost:${port}${request.url}`;
        return void response.writeHead(302, { location }).end();
      }
      response.writeHead(refusal.status, { 'content-type': refusal.type });
      return void response.end(bodies[refusal.type]);
    }
    const { status, headers, bytes } = await forwardRequest(service, request);
    response.writeHead(status, headers).end(bytes);
  });
  return {
    url: server.url,
    refuse(next) {
      refusal = next;
    },
    close: server.close,
  };
}

const setup = useSite('main-job');
let gateway: Gateway;
/** After the first build, which fills the cache. */
let built: Snapshot;
let listed: string[];

const build = (unavailable = 'fail') =>
  setup.build({
    MEDIA_ASSET_BASE_URL: gateway.url,
    MEDIA_ASSET_ACCOUNTS_URL: setup.emulator.url,
    UNAVAILABLE: unavailable,
  });

beforeAll(async () => {
  gateway = await startGateway(setup.emulator.url);
  await setup.site.edit(
    'astro.config.mjs',
    'mediaAssets()',
    'mediaAssets({ unavailable: process.env.UNAVAILABLE })',
  );
  expect((await build()).exitCode).toBe(0);
  listed = setup.pairs();
  expect(listed).toHaveLength(5);
  built = await setup.snapshot();
});

beforeEach(async () => {
  await setup.restore(built);
  gateway.refuse(undefined);
});

afterAll(() => gateway.close());

/** Expects the site to build from the cache and show every image without any download. */
async function expectCacheToSurvive(): Promise<void> {
  gateway.refuse({ status: 503, type: 'application/json' });
  const { exitCode, output } = await build();
  expect(output).toContain('stale');
  expect(exitCode).toBe(0);
  expect(await setup.site.read('dist/quay/index.html')).not.toContain('unavailable');
  expect(setup.pairs()).toEqual(listed);
}

const html = (status: number) => ({ status, type: 'text/html' }) as const;
const json = (status: number) => ({ status, type: 'application/json' }) as const;

test('every download answered with an HTML page, or refused by another origin, is an outage', async () => {
  const refusals: [GatewayRefusal, unavailable: string][] = [
    [html(403), 'fail'],
    [html(404), 'warn'],
    [{ ...json(403), isForeign: true }, 'warn'],
  ];
  for (const [refusal, unavailable] of refusals) {
    gateway.refuse(refusal);
    const { exitCode, output } = await build(unavailable);
    expect(output).toContain('stale');
    expect(exitCode).toBe(0);
    expect(setup.pairs()).toEqual(listed);
  }
  await expectCacheToSurvive();
});

test('a service that refuses every asset is one error', async () => {
  const refusals = [
    [403, 'fail'],
    [404, 'warn'],
    [410, 'fail'],
  ] as const;
  for (const [status, unavailable] of refusals) {
    gateway.refuse(json(status));
    const { exitCode, output } = await build(unavailable);
    expect(output.match(/\[service-refuses-all\]/g)).toHaveLength(1);
    expect(exitCode).toBe(1);
    expect(setup.pairs()).toEqual(listed);
  }
  await expectCacheToSurvive();
});

test('one refused asset is withdrawn if the service returns others, and the cache keeps it', async () => {
  gateway.refuse({ ...json(410), id: 4712 });
  const { exitCode, output } = await build();
  expect(output).toContain('asset 4712 (410) on / (src/pages/index.astro:10:5), /quay/ ');
  expect(exitCode).toBe(1);
  expect(setup.pairs()).toEqual(listed);
  await expectCacheToSurvive();
});

test('an HTML page as the answer for one asset is an outage', { tags: ['slow'] }, async () => {
  gateway.refuse({ ...html(404), id: 4712 });
  const { exitCode, output } = await build('warn');
  expect(output).toContain('Asset 4712 is stale');
  expect(exitCode).toBe(0);
  expect(setup.pairs()).toEqual(listed);
});

test('the only asset of a site is withdrawn if the service answers another call', {
  tags: ['slow'],
}, async () => {
  const page = `---
import { MediaAsset } from 'astro-media-asset/components';
---
<title>Quay</title><MediaAsset id={4712} alt="" width={100} />
`;
  await setup.site.remove('src/pages');
  await setup.site.write('src/pages/index.astro', page);
  expect((await build()).exitCode).toBe(0);
  const only = ['4712 https://harbour.example/'];
  expect(setup.pairs()).toEqual(only);

  gateway.refuse(json(403));
  await setup.emulator.setFaults([{ kind: 'status', call: 'folder-tree', status: 403 }]);
  const { exitCode, output } = await build('warn');
  expect(output).toContain('[service-refuses-all]');
  expect(exitCode).toBe(1);
  expect(setup.pairs()).toEqual(only);

  gateway.refuse(json(404));
  await setup.emulator.clearFaults();
  const withdrawn = await build('warn');
  expect(withdrawn.output).toContain('asset 4712 (404) on /');
  expect(withdrawn.exitCode).toBe(0);
  expect(setup.pairs()).toEqual([]);
});
