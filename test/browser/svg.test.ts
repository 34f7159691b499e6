/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSanitizer } from '../../src/assets/svg/sanitize-svg.ts';
import { type LocalServer, startLocalServer } from '../support/service/local-server.ts';
import { findChromium, openBrowser, type TestBrowser } from '../support/site/browser.ts';

const chromium = findChromium();

/** A red square, with every way for an SVG to run or fetch something. */
function drawing(origin: string): string {
  const fetched = (what: string) => `${origin}/fetched-by-${what}`;
  const run = (what: string) => `fetch('/run-by-${what}')`;
  return `<?xml version="1.0"?>
<?xml-stylesheet type="text/css" href="${fetched('instruction')}"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:h="http://www.w3.org/1999/xhtml" viewBox="0 0 100 100" onload="${run('handler')}">
  <style><![CDATA[
    @import url("${fetched('import')}");
    @font-face { font-family: quay; src: url("${fetched('font')}"); }
    .fill { fill: #ff0000; } text { font-family: quay; }
    .background { background: u\\72l("${fetched('background')}"); }
  ]]></style>
  <filter id="f"><feImage href="${fetched('filter')}"/></filter>
  <rect class="fill background" width="100" height="100"/>
  <rect width="9" height="9" filter="url(#f)" style="mask: url(${fetched('mask')}#a)"/>
  <text x="5" y="20">Quay</text>
  <image width="9" height="9" href="${fetched('image')}"/>
  <image width="9" height="9" xlink:href="${fetched('link')}"/>
  <use href="${fetched('use')}#a"/>
  <script>${run('script')}</script>
  <script href="${fetched('script')}"/>
  <foreignObject width="9" height="9"><h:img src="${fetched('foreign')}" onerror="${run('error')}"/></foreignObject>
  <h:iframe src="${fetched('frame')}"/>
  <set attributeName="fill" to="red" begin="0s" dur="1s" onbegin="${run('animation')}"/>
</svg>`;
}

describe.skipIf(chromium === undefined)('an SVG opened in a browser', () => {
  let browser: TestBrowser;
  let server: LocalServer;
  let requests: string[] = [];
  const files = new Map<string, Buffer>();

  beforeAll(async () => {
    server = await startLocalServer(({ url = '' }, response) => {
      const file = files.get(url);
      if (!file && url !== '/favicon.ico') requests.push(url);
      response.writeHead(200, { 'content-type': file ? 'image/svg+xml' : 'text/plain' }).end(file);
    });
    const bytes = Buffer.from(drawing(server.url));
    files.set('/raw.svg', bytes).set('/clean.svg', (await loadSanitizer()).sanitize(bytes));
    browser = await openBrowser(chromium ?? '');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Its requests, and the colour of its square. */
  async function show(path: string) {
    requests = [];
    const page = await browser.open({ baseURL: server.url });
    await page.goto(path);
    // One more round trip than the SVG itself can start.
    await page.waitForLoadState('networkidle');
    const fill = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('rect')).fill",
    );
    await browser.closePages();
    browser.problems();
    return { fill, requests };
  }

  test('runs and fetches everything', async () => {
    const shown = await show('/raw.svg');
    for (const what of ['run-by-script', 'run-by-handler', 'fetched-by-import', 'fetched-by-image'])
      expect(shown.requests).toContain(`/${what}`);
  });

  test('runs and fetches nothing after sanitising, and looks the same', async () => {
    expect(await show('/clean.svg')).toEqual({ fill: 'rgb(255, 0, 0)', requests: [] });
  });
});
