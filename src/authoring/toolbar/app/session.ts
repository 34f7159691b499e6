import type * as protocol from '../protocol.ts';

export type Connection = { readonly base: string };

/** An error that the dev server has answered. The message has the hint, if there is one. */
class AnswerError extends Error {
  override name = 'AnswerError';
  readonly notice: protocol.Notice;

  constructor(notice: protocol.Notice) {
    super(notice.hint === undefined ? notice.message : `${notice.message} ${notice.hint}`);
    this.notice = notice;
  }
}

export type Session = ReturnType<typeof createSession>;

/** The requests to the dev server. All of them throw `AnswerError`. */
export function createSession(connection: Promise<Connection>) {
  async function request(path: string, options: RequestInit = {}): Promise<Response> {
    const { base } = await connection;
    const headers = { ...options.headers, 'X-Media-Asset-Toolbar': '1' };
    const answer = await fetch(`${base.replace(/\/$/, '')}/_media-asset/${path}`, {
      ...options,
      headers,
    }).catch((error) => {
      if (options.signal?.aborted) throw error;
      throw new AnswerError({
        code: 'dev-server-unreachable',
        message: "The dev server doesn't answer.",
        hint: 'Check that `astro dev` is running, then try again.',
      });
    });
    if (!answer.ok) throw new AnswerError(await noticeOf(answer));
    return answer;
  }
  const get = async <Answer>(path: string, options?: RequestInit): Promise<Answer> =>
    (await request(path, options)).json();
  const post = <Answer>(path: string, body: unknown) =>
    get<Answer>(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    /** Throws if the dev server doesn't answer this browser. */
    start: () => get('session.json'),
    folders: () => get<protocol.FoldersAnswer>('folders.json'),
    assets: (given: protocol.AssetsRequest, signal: AbortSignal) =>
      get<protocol.AssetsAnswer>(`assets.json?${query(given)}`, { signal }),
    asset: (given: protocol.AssetRequest) =>
      get<protocol.AssetDetails>(`asset.json?${query(given)}`),
    /** A new blob URL of the whole image. The caller revokes it. */
    async image(id: number, width: 320 | 1600, signal?: AbortSignal) {
      const priority = width === 320 ? 'low' : 'auto';
      const options = { priority, signal: signal ?? null } as const;
      const answer = await request(`image.webp?${query({ id, width })}`, options);
      return URL.createObjectURL(await answer.blob());
    },
    places({ id, place, given: alt, props: { crop } }: protocol.ShownAsset) {
      const asked: protocol.PlacesRequest = { id, place, crop, alt };
      return post<protocol.PlacesAnswer>('places.json', asked);
    },
    /** Returns the place as it is now. */
    save: (given: protocol.SaveRequest) => post<protocol.SourcePlace>('save.json', given),
    undo: ({ file, line }: protocol.SavedPlace) => post('undo.json', { file, line }),
    insert: (given: protocol.InsertRequest) => post<protocol.SavedPlace>('insert.json', given),
    upload: (body: File, given: protocol.UploadRequest) =>
      get<protocol.UploadAnswer>(`upload.json?${query(given)}`, { method: 'PUT', body }),
  };
}

export function noticeFrom(error: unknown): protocol.Notice {
  if (error instanceof AnswerError) return error.notice;
  return { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
}

async function noticeOf(answer: Response): Promise<protocol.Notice> {
  try {
    return ((await answer.json()) as protocol.ProblemAnswer).error;
  } catch {
    return {
      code: `HTTP ${answer.status}`,
      message: `The dev server answered ${answer.status}.`,
      hint: 'Reload the page, then try again.',
    };
  }
}

function query(values: object): URLSearchParams {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}
