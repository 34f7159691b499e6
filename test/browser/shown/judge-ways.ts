import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { scanSite } from '../../../src/scan/scan-site.ts';
import type { TestBrowser } from '../../support/browser/browser.ts';
import { type LocalServer, startLocalServer } from '../../support/service/local-server.ts';
import { serveBuilt } from '../../support/site/serve-folder.ts';
import type { Way } from './way.ts';

/** What Chromium and the scan make of a way. */
export interface Verdict {
  readonly name: string;
  /** Whether Chromium requested a URL of the asset. */
  readonly loaded: boolean;
  readonly counted: boolean;
  readonly warned: boolean;
}

/** Pages that are open at once. */
const pagesAtOnce = 4;

/** The asset's ID is the number of its page, plus this. */
const firstId = 1001;

/** Parts of a drawing that other drawings can use. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">
<g id="u"><path id="p" d="M0 0h9v9z"/></g><clipPath id="c"><path d="M0 0h9v9z"/></clipPath>
<filter id="f"><feFlood/></filter><mask id="m"><path d="M0 0h9v9z" fill="white"/></mask>
<linearGradient id="g"><stop stop-color="red"/></linearGradient>
<marker id="k" markerWidth="9" markerHeight="9"><path d="M0 0h9v9z"/></marker></svg>`;

/** Shows each way on a page of its own, to Chromium and to the scan. */
export async function judgeWays(
  browser: Pick<TestBrowser, 'open'>,
  ways: readonly Way[],
): Promise<Verdict[]> {
  const dir = await mkdtemp(join(tmpdir(), 'shown-'));
  const loaded = new Set<number>();
  const host = await openHost(dir, (id) => loaded.add(id));
  try {
    const service = host.url.replace('127.0.0.1', 'localhost');
    for (const [index, [, html, files = {}]] of ways.entries()) {
      const words = wordsFor(firstId + index, { site: host.url, service });
      const all = { 'index.html': `<!doctype html><title>Boats</title>${html}`, ...files };
      for (const [name, text] of Object.entries(all)) {
        const path = join(dir, String(index), name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(
          path,
          text
            .replace(/\{(\w+)\}/g, (all, word) => words[word] ?? all)
            .replace(/;base64,\[(.*?)\]/gs, (_, content) => `;base64,${btoa(content)}`),
        );
      }
    }
    const rest = [...ways.keys()];
    const visitRest = async () => {
      const page = await browser.open({ baseURL: host.url });
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
        await page.goto(`/${next}/`);
        await page.mouse.move(20, 20);
        await page.mouse.move(30, 30);
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        await page.waitForLoadState('networkidle');
      }
    };
    await Promise.all(Array.from({ length: pagesAtOnce }, visitRest));
    const scan = await scanSite({
      dir,
      rules: {
        ...{ site: host.url, base: '/', format: 'directory', trailingSlash: 'ignore', exclude: [] },
        service,
      },
    });
    const pages = new Map(scan.pages.map(({ page, assets }) => [page, assets]));
    return ways.map(([name], index) => {
      const id = firstId + index;
      const page = `${host.url}/${index}/`;
      const findings = scan.findings.filter((finding) => finding.page === page);
      return {
        name,
        loaded: loaded.has(id),
        counted: pages.get(page)?.includes(id) ?? false,
        warned: findings.some(({ message }) => message.includes(String(id))),
      };
    });
  } finally {
    await host.close();
    await rm(dir, { recursive: true });
  }
}

/** Serves the pages like a host: it decodes paths, resizes images, and is the service too. */
async function openHost(dir: string, onAsset: (id: number) => void): Promise<LocalServer> {
  const create = { width: 2, height: 2, channels: 3, background: 'red' } as const;
  const image = await sharp({ create }).webp().toBuffer();
  const servePages = serveBuilt(dir);
  return startLocalServer((request, response) => {
    const url = decoded(request.url ?? '');
    const [, id] = /(?:media-asset|\/1\/file)\/(\d+)/.exec(url) ?? [];
    if (id === undefined) return servePages(request, response);
    onAsset(Number(id));
    const [type, body] = url.endsWith('.svg') ? ['image/svg+xml', drawing] : ['image/webp', image];
    response.writeHead(200, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' }).end(body);
  });
}

function decoded(url: string): string {
  const once = decodeURIComponent(url);
  return once === url ? url : decoded(once);
}

/** The forms of an asset's URL. */
function wordsFor(
  id: number,
  { site, service }: { site: string; service: string },
): Readonly<Record<string, string>> {
  const folder = '/_astro/media-asset/';
  const file = `${id}-0123456789abcdef-fedcba9876543210-boat.webp`;
  const url = `${folder}${file}`;
  const download = `${service}/1/file/${id}/download/0`;
  return {
    ...{ site, url, file },
    host: site.replace('http:', ''),
    path: url.slice(1),
    name: `media-asset/${file}`,
    vector: `${folder}${id}-0123456789abcdef-file/boat.svg`,
    service: download,
    encoded: encodeURIComponent(url),
    doubled: url.replace('-', '--'),
    hyphens: url.replaceAll('-', '%2D'),
    letters: url.replace(/[a1.]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    serviceLetters: download.replace('file', 'fil%65').replace('download', '%64own%6Coad'),
    backslashes: url.replaceAll('/', '\\'),
    broken: url.replace('media-', 'me\ndia-\t'),
    escaped: url.replace('media-', 'med\\69 a\\-'),
  };
}
