import type {
  PlacesAnswer,
  ProblemAnswer,
  SaveAnswer,
  SaveRequest,
  ShownAsset,
} from '../protocol.ts';

/** The part of Astro's toolbar server that the app uses. */
export interface ToolbarServer {
  send<T>(event: string, payload: T): void;
  on<T>(event: string, callback: (data: T) => void): void;
}

/** The dev server's answers. All of them throw an error with the message and the hint. */
export interface Session {
  /** The whole image as a blob URL. @param width 320 or 1600 pixels */
  image(id: number, width: 320 | 1600): Promise<string>;
  places(shown: ShownAsset): Promise<PlacesAnswer>;
  save(request: SaveRequest): Promise<SaveAnswer>;
}

interface Access {
  readonly secret: string;
  readonly base: string;
}

/** Gets the secret of the dev session when the first request needs it. */
export function openSession(server: ToolbarServer): Session {
  let access: Promise<Access> | undefined;

  function getAccess(): Promise<Access> {
    access ??= new Promise<Access>((resolve) => {
      server.on<Access>('astro-media-asset:session', resolve);
      server.send('astro-media-asset:hello', {});
    });
    return access;
  }

  async function request(path: string, body?: unknown): Promise<Response> {
    const { secret, base } = await getAccess();
    const response = await fetch(`${base.replace(/\/$/, '')}/_media-asset/${path}`, {
      headers: {
        'X-Media-Asset-Toolbar': secret,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Error("The dev server doesn't answer. Start it again, and reload the page.");
    });
    if (response.ok) return response;
    const { error } = (await response.json()) as ProblemAnswer;
    throw new Error([error.message, error.hint?.split('\n')[0]].filter(Boolean).join(' '));
  }

  const images = new Map<string, Promise<string>>();
  return {
    image(id, width) {
      const path = `image.webp?id=${id}&width=${width}`;
      const url = images.get(path) ?? request(path).then(toBlobUrl);
      images.set(path, url);
      url.catch(() => images.delete(path));
      return url;
    },
    places: async (shown) => (await request('places.json', shown)).json(),
    save: async (change) => (await request('save.json', change)).json(),
  };
}

async function toBlobUrl(response: Response): Promise<string> {
  return URL.createObjectURL(await response.blob());
}
