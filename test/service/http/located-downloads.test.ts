import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  failureOf,
  inTurn,
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
} from '../scripted-service.ts';

const picture: Respond = (response) =>
  void response.writeHead(200, { 'content-type': 'image/png' }).end('picture');

const leads: Record<string, (url: string) => Respond> = {
  'a redirect': (url) => status(302, { location: url }),
  'JSON with a URL': (url) => (response) => json(response, { url }),
};

describe.for(Object.entries(leads))('a signed URL of a download, from %s', ([, lead]) => {
  /** A service that leads to `/signed/1`, `/signed/2`, … of another server. */
  async function signing(answer: Respond) {
    const other = await startScriptedService({ respond: answer });
    let count = 0;
    const service = await startScriptedService({
      respond(response, request) {
        count += 1;
        return lead(`${other.url}/signed/${count}`)(response, request);
      },
    });
    const client = scriptedClient(service.url, { downloads: 'url' });
    return { client, signed: () => other.requests.map(({ url }) => url) };
  }

  test.for([400, 401, 403, 404, 410])('is asked for once more after %s', async (expired) => {
    const { client, signed } = await signing(inTurn(status(expired), picture));
    expect(String(await bodyOf(client.files.original(4711)))).toBe('picture');
    expect(signed()).toEqual(['/signed/1', '/signed/2']);
  });

  test('is an error if the second one is refused, too', async () => {
    const { client, signed } = await signing(status(403));
    const error = await failureOf(client.files.original(4711));
    expect(error).toMatchObject({ code: 'request-forbidden', isOwnRefusal: false });
    expect(signed()).toEqual(['/signed/1', '/signed/2']);
  });

  test('is asked for as often as there are attempts after a failure', async () => {
    const { client, signed } = await signing(status(503));
    expect(await failureOf(client.files.original(4711))).toMatchObject({ code: 'service-failed' });
    expect(signed()).toHaveLength(4);
  });
});

test.for([403, 404, 410])("the service's own %s isn't asked for again", async (code) => {
  const service = await startScriptedService({ respond: status(code) });
  await failureOf(scriptedClient(service.url).files.original(4711));
  expect(service.requests).toHaveLength(1);
});

describe('JSON that leads to another version than the original', () => {
  test.for<object>([
    { isPreview: true },
    { is_preview: 'true' },
    { watermark: true },
    { watermark: { text: 'Sample' } },
    { watermarked: 1 },
    { hasWatermark: true },
    { data: { isPreview: true, url: '/cdn/x' }, url: undefined },
    { meta: { isPreview: true } },
    { versions: [{ properties: { watermark: 'yes' } }] },
  ])('is refused: %j', async (said) => {
    const service = await startScriptedService({
      respond: (response) => json(response, { url: '/cdn/x', ...said }),
    });
    const client = scriptedClient(service.url, { downloads: 'url' });
    expect(await failureOf(client.files.original(4711))).toMatchObject({
      ...{ code: 'request-refused', temporary: false, isOwnRefusal: true },
      message: expect.stringMatching(/only .* (preview|watermark)/),
    });
    expect(service.requests).toHaveLength(1);
  });

  test.for<object>([
    { isPreview: false },
    { isPreview: 'false', watermark: null },
    { isPreview: '0', meta: { watermark: 'no' } },
    { watermark: '', preview: '/thumb' },
    { watermark: {} },
  ])("isn't refused without one: %j", async (said) => {
    const service = await startScriptedService({
      respond: (response, request) =>
        request.url.startsWith('/cdn/')
          ? picture(response, request)
          : json(response, { url: '/cdn/x', ...said }),
    });
    const client = scriptedClient(service.url, { downloads: 'url' });
    expect(String(await bodyOf(client.files.original(4711)))).toBe('picture');
  });
});
