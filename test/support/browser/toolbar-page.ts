import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type {
  AssetDetails,
  AssetsAnswer,
  FoldersAnswer,
  ListedAsset,
  Notice,
  PlacesAnswer,
  Save,
  SaveRequest,
  ShownAsset,
  ShownRecord,
  SourcePlace,
} from '../../../src/authoring/toolbar/protocol.ts';
import { drawTestImage } from '../images/test-images.ts';
import { type LocalServer, startLocalServer } from '../service/local-server.ts';

const dist = fileURLToPath(new URL('../../../dist', import.meta.url));
/** A dev server's part of the toolbar with answers that tests set. */
export interface ToolbarPage extends LocalServer {
  images: ShownAsset[];
  /** The direction of the page's text. */
  dir: 'ltr' | 'rtl';
  library: ListedAsset[];
  judges: FoldersAnswer['judges'];
  /** What answers each question for assets. */
  find: (query: URLSearchParams, library: readonly ListedAsset[]) => Promise<AssetsAnswer>;
  places: PlacesAnswer;
  /** Of each asset of the library. */
  record: ShownRecord | undefined;
  alts: AssetDetails['alts'];
  /** What each request for assets is answered with. */
  failure: Notice | undefined;
  /** What each request is answered with. */
  refusal: Notice | undefined;
  /** What each save is answered with. */
  saveFailure: Notice | undefined;
  readonly saved: SaveRequest[];
  saves: Save[];
  readonly undone: number[];
  reset(): void;
}

export const place: SourcePlace = {
  kind: 'component',
  file: 'src/pages/index.astro',
  line: 12,
  column: 3,
  start: 100,
  hash: 'a digest',
};

/** Images of the library, of which the eighth is `Quay at dusk`. */
export function assets(count: number): ListedAsset[] {
  const size = { width: 1200, height: 800 };
  return Array.from({ length: count }, (_, index) => {
    const name = index === 7 ? 'Quay at dusk' : `Asset ${index}`;
    return { id: 5000 + index, name, kind: 'image', size };
  });
}

export function shownAsset(values: Partial<ShownAsset> = {}): ShownAsset {
  return {
    id: 4711,
    name: 'Harbor',
    alt: 'The harbor',
    given: 'The harbor',
    place: { file: place.file, line: place.line, column: place.column },
    props: {},
    original: { width: 1200, height: 800 },
    layout: { width: 600, height: 400, widths: [600, 1200] },
    problems: [],
    ...values,
  };
}

const folders = [
  { id: 1, name: 'Photos', depth: 0 },
  { id: 2, name: 'Harbor', depth: 1 },
];
const usages = [{ page: 'https://example.com/about/', pageName: 'About' }];

// The app must work in pages that refuse inline scripts and styles.
const policy = "default-src 'self'; img-src 'self' blob:; connect-src 'self'";

const startScript = `
import app from '/authoring/toolbar/app/entry.js';
class Target extends EventTarget {
  onToggled(callback) { this.addEventListener('toggled', ({ detail }) => callback(detail)); }
  toggleState({ state }) {
    this.state = state;
    this.dispatchEvent(new CustomEvent('toggled', { detail: { state } }));
  }
}
const canvas = document.createElement('media-canvas').attachShadow({ mode: 'open' });
document.body.append(canvas.host);
const bar = document.createElement('astro-dev-toolbar').attachShadow({ mode: 'open' });
const opener = document.createElement('button');
opener.dataset.appId = 'astro-media-asset';
bar.append(opener);
document.body.append(bar.host);
const target = new Target();
app.init(canvas, target, { on() {} });
globalThis.toolbar = target;
`;

function html({ images, dir }: Pick<ToolbarPage, 'images' | 'dir'>): string {
  const elements = images.map((shown) => {
    const json = JSON.stringify(shown).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return `<p><img src="/image.webp?width=600" width="600" height="400" alt="" data-media-asset-toolbar="${json}"></p>`;
  });
  return `<!doctype html><html lang="en" dir="${dir}"><title>Page</title><meta name="viewport" content="width=device-width">
<script type="module" src="/start.js"></script><main><h1>A page</h1>${elements.join('')}</main></html>`;
}

/** A page of a CMS with a picker. Its keys are shortcuts, and it follows the system's colors. */
const pickerHtml = `<!doctype html><html lang="en"><title>Entry</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<script type="module" src="/authoring/picker/media-asset-field.js"></script>
<main><h1>An entry</h1><media-asset-field lang="de" label="Hero"></media-asset-field></main></html>`;

/** Serves the compiled app on a page with images. Needs `dist`. */
export async function serveToolbarPage(): Promise<ToolbarPage> {
  const initial = (): Omit<ToolbarPage, keyof LocalServer | 'reset'> => ({
    images: [shownAsset()],
    dir: 'ltr',
    library: assets(20),
    judges: { rights: true, alt: true, usages: true },
    find: async (query, library) => list(library, query),
    places: { places: [place], isCall: true },
    record: { alt: 'From the record', rights: 'allowed', isForbidden: false },
    alts: undefined,
    failure: undefined,
    refusal: undefined,
    saveFailure: undefined,
    saved: [],
    saves: [],
    undone: [],
  });
  const state = initial();
  const picture = await drawTestImage({ path: 'image.webp', width: 1200, height: 800 });
  const server = await startLocalServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const send = (type: string, body: string | Uint8Array, status = 200) =>
      response
        .writeHead(status, { 'Content-Type': type, 'Content-Security-Policy': policy })
        .end(body);
    const answer = (body: unknown, status = 200) =>
      send('application/json', JSON.stringify(body), status);
    if (pathname === '/') return send('text/html', html(state));
    if (pathname === '/picker') return send('text/html', pickerHtml);
    if (pathname === '/start.js') return send('text/javascript', startScript);
    if (pathname.endsWith('.js')) {
      const code = await readFile(join(dist, pathname), 'utf8');
      // As Vite does.
      return send('text/javascript', code.replace('import.meta.env', "{ BASE_URL: '/' }"));
    }
    if (pathname === '/image.webp') return send('image/webp', picture);
    if (!pathname.startsWith('/_media-asset/')) return response.writeHead(204).end();
    if (request.headers['x-media-asset-toolbar'] === undefined) return answer({}, 403);
    if (state.refusal) return answer({ error: state.refusal }, 403);
    switch (pathname.slice('/_media-asset/'.length)) {
      case 'image.webp':
        return send('image/webp', picture);
      case 'session.json':
        return answer({});
      case 'folders.json':
        return answer({ folders, judges: state.judges } satisfies FoldersAnswer);
      case 'assets.json':
        return state.failure
          ? answer({ error: state.failure }, 502)
          : answer(await state.find(searchParams, state.library));
      case 'asset.json': {
        const found = state.library.find(({ id }) => id === Number(searchParams.get('id')));
        const about = { name: found?.name, size: found?.size };
        const { record, alts } = state;
        return answer({ ...about, record, alts, usages } satisfies AssetDetails);
      }
      case 'saves.json':
        return answer({ saves: state.saves });
      case 'undo.json':
        state.undone.push(((await json(request)) as { save: number }).save);
        return answer({});
      case 'places.json':
        return answer(state.places);
      default: {
        const save = (await json(request)) as SaveRequest;
        if (state.saveFailure) return answer({ error: state.saveFailure }, 409);
        state.saved.push(save);
        const saved = { file: place.file, line: place.line, save: state.saved.length };
        return answer({ place: save.place, saved });
      }
    }
  });
  return Object.assign(state, server, {
    reset() {
      Object.assign(state, initial());
    },
  });
}

export function list(library: readonly ListedAsset[], query: URLSearchParams): AssetsAnswer {
  const search = query.get('search')?.toLowerCase() ?? '';
  const found = library.filter(({ name }) => name.toLowerCase().includes(search));
  const shown = { assets: found.slice(0, Number(query.get('limit'))), total: found.length };
  return { ...shown, undecided: 0, isReading: false };
}
