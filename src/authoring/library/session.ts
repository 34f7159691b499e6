import { createElement } from '../crop-editor/create-element.ts';
import type { PresetShapes } from '../crop-editor/crop-state.ts';
import type * as protocol from '../toolbar/protocol.ts';

/** What stands for a file that isn't an image. */
const kindIcons = { image: '', video: '▶', audio: '♪', document: '▤' } as const;

/** An error that the server has answered. The message has the hint, if there is one. */
const answerError = (notice: protocol.Notice) =>
  Object.assign(new Error([notice.message, notice.hint ?? []].flat().join(' ')), { notice });

export type Session = ReturnType<typeof createSession>;

interface Sending {
  /** Instead of `fetch`. */
  readonly send?: typeof fetch;
  /** The size of an image, if the answer was the original. */
  readonly sizeOf?: (url: string) => Promise<protocol.Size | undefined>;
}

/** The requests to the server of a site's base, which throw `answerError`s, and thumbnails. */
export function createSession(base: string, { send = fetch, sizeOf }: Sending = {}) {
  async function request(path: string, options: RequestInit = {}): Promise<Response> {
    const headers = { ...options.headers, 'X-Media-Asset-Toolbar': '1' };
    const answer = await send(`${base.replace(/\/$/, '')}/_media-asset/${path}`, {
      ...options,
      headers,
    }).catch((error) => {
      if (options.signal?.aborted) throw error;
      const message = "The media library doesn't answer.";
      const hint = 'Try again. In development, check that `astro dev` is running.';
      throw answerError({ code: 'dev-server-unreachable', message, hint });
    });
    if (!answer.ok) throw answerError(await noticeOf(answer));
    return answer;
  }
  const get = async <Answer>(path: string, options?: RequestInit): Promise<Answer> =>
    (await request(path, options)).json();
  const headers = { 'Content-Type': 'application/json' };
  const post = <Answer>(path: string, body: unknown) =>
    get<Answer>(path, { method: 'POST', headers, body: JSON.stringify(body) });
  /** A new blob URL of the whole image. The caller revokes it. */
  async function image(id: number, width: 320 | 1600, signal: AbortSignal | null = null) {
    const priority = width === 320 ? 'low' : 'auto';
    const answer = await request(`image.webp?${query({ id, width })}`, { priority, signal });
    return URL.createObjectURL(await answer.blob());
  }
  const asset = (given: protocol.AssetRequest) =>
    get<protocol.AssetDetails>(`asset.json?${query(given)}`);
  return {
    ...{ image, asset, post },
    /** What the crop editor shows. The caller revokes the URL. */
    async original({ id, original: known }: Pick<protocol.ShownAsset, 'id' | 'original'>) {
      const url = await image(id, 1600);
      // A list may lack the size, or have that of an image which isn't turned yet.
      const { size = known, record } = known ? {} : await asset({ id });
      const original = (await sizeOf?.(url)) ?? size;
      if (!original)
        throw new Error('The size of this image is unknown, so it can only be cropped by hand.');
      return { image: url, original, ...(record && { recordFocus: record.focus }) };
    },
    thumbnail: thumbnails((id, signal) => image(id, 320, signal)),
    /** Throws if the dev server doesn't answer this browser. */
    start: () => get<{ readonly presets?: PresetShapes }>('session.json'),
    folders: () => get<protocol.FoldersAnswer>('folders.json'),
    assets: (given: protocol.AssetsRequest, signal: AbortSignal) =>
      get<protocol.AssetsAnswer>(`assets.json?${query(given)}`, { signal }),
    places({ id, place, given: alt, props: { crop }, kind }: protocol.ShownAsset) {
      const isFile = kind !== undefined;
      const asked: protocol.PlacesRequest = { id, place, crop, alt, isFile };
      return post<protocol.PlacesAnswer>('places.json', asked);
    },
    save: (given: protocol.SaveRequest) => post<protocol.SaveAnswer>('save.json', given),
    saves: () => get<{ readonly saves: readonly protocol.Save[] }>('saves.json'),
    undo: ({ save }: protocol.SavedPlace) => post<object>('undo.json', { save }),
    insert: (given: protocol.InsertRequest) => post<protocol.SavedPlace>('insert.json', given),
    upload: (body: File, given: protocol.ToolbarUpload) =>
      get<protocol.UploadAnswer>(`upload.json?${query(given)}`, { method: 'PUT', body }),
  };
}

/** Creates images of assets, which load while they're in view. */
function thumbnails(load: (id: number, signal: AbortSignal) => Promise<string>) {
  const ids = new WeakMap<Element, number>();
  const urls = new Map<number, string>();
  const loading = new WeakMap<Element, AbortController>();

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) void fill(target as HTMLImageElement);
      else loading.get(target)?.abort();
    }
  });

  async function fill(element: HTMLImageElement): Promise<void> {
    const id = ids.get(element) as number;
    const control = new AbortController();
    loading.set(element, control);
    try {
      const url = urls.get(id) ?? (await load(id, control.signal));
      urls.set(id, url);
      element.src = url;
      observer.unobserve(element);
    } catch {
      // It stays empty, and is loaded again when it comes back into view.
    }
  }

  /** @param id `undefined` for an image that can't be loaded */
  return (id: number | undefined, className = '', kind: protocol.AssetKind = 'image') => {
    const hidden = { 'aria-hidden': 'true', class: `icon ${className}` };
    if (kind !== 'image') return createElement('span', hidden, kindIcons[kind]);
    const element = createElement('img', { alt: '', class: className });
    if (id !== undefined) {
      ids.set(element, id);
      observer.observe(element);
    }
    return element;
  };
}

export function noticeFrom(error: unknown): protocol.Notice {
  const { notice, message = String(error) } = error as Partial<ReturnType<typeof answerError>>;
  return notice ?? { code: 'unexpected', message };
}

async function noticeOf(answer: Response): Promise<protocol.Notice> {
  const { error }: { error?: protocol.Notice } = await answer.json().catch(() => ({}));
  const message = `The media library answered ${answer.status}.`;
  const hint = 'Reload the page, then try again.';
  return error ?? { code: `HTTP ${answer.status}`, message, hint };
}

function query(values: object): URLSearchParams {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}
