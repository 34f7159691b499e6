import type {
  AssetDetails,
  AssetsAnswer,
  AssetsRequest,
  FoldersAnswer,
  Notice,
  PlacesAnswer,
  PlacesRequest,
  ProblemAnswer,
  SaveAnswer,
  SaveRequest,
  ShownAsset,
} from '../protocol.ts';

/** What the dev server sends to its own pages. */
export interface Connection {
  /** The site's base path. */
  readonly base: string;
}

/** An error that the dev server has answered. The message has the hint, if there is one. */
class AnswerError extends Error {
  override name = 'AnswerError';
  readonly notice: Notice;

  constructor(notice: Notice) {
    super(notice.hint === undefined ? notice.message : `${notice.message} ${notice.hint}`);
    this.notice = notice;
  }
}

/** The requests to the dev server. All of them throw `AnswerError`. */
export interface Session {
  /** Throws if the dev server doesn't answer this browser. */
  start(): Promise<unknown>;
  folders(): Promise<FoldersAnswer>;
  assets(request: AssetsRequest, signal: AbortSignal): Promise<AssetsAnswer>;
  asset(id: number): Promise<AssetDetails>;
  /** A new blob URL of the whole image. The caller revokes it. */
  image(id: number, options: { width: 320 | 1600; signal?: AbortSignal }): Promise<string>;
  places(shown: ShownAsset): Promise<PlacesAnswer>;
  save(request: SaveRequest): Promise<SaveAnswer>;
}

export function createSession(connection: Promise<Connection>): Session {
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
    start: () => get('session.json'),
    folders: () => get('folders.json'),
    assets: (given, signal) => get(`assets.json?${query(given)}`, { signal }),
    asset: (id) => get(`asset.json?${query({ id })}`),
    async image(id, { width, signal }) {
      const options = signal ? { signal } : {};
      const answer = await request(`image.webp?${query({ id, width })}`, options);
      return URL.createObjectURL(await answer.blob());
    },
    places: ({ id, place, props: { crop } }) =>
      post('places.json', { id, place, crop } satisfies PlacesRequest),
    save: (given) => post('save.json', given),
  };
}

/** What to show for an error of any kind. */
export function noticeFrom(error: unknown): Notice {
  if (error instanceof AnswerError) return error.notice;
  return { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
}

async function noticeOf(answer: Response): Promise<Notice> {
  try {
    return ((await answer.json()) as ProblemAnswer).error;
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
