import { mediaAssetError } from '../../errors/errors.ts';
import { type Renderer, rendererCalls } from '../renderer.ts';
import { decode, encode } from './wire.ts';

/** Where the renderer of a running build or dev server answers, and what it asks for. */
export interface Loopback {
  readonly url: string;
  readonly secret: string;
}

/** For page code in another runtime than Node: it's bundled, and imports nothing of Node. */
export function remoteRenderer({ url, secret }: Loopback): Renderer {
  async function ask(call: keyof Renderer, asked: readonly unknown[]): Promise<unknown> {
    const headers = { Authorization: `Bearer ${secret}` };
    const body = encode({ call, asked });
    const response = await fetch(url, { method: 'POST', headers, body }).catch((cause: Error) => {
      throw mediaAssetError('renderer-unreachable', { problem: cause.message }, { cause });
    });
    if (!response.ok)
      throw mediaAssetError('renderer-unreachable', { problem: `HTTP ${response.status}` });
    const { thrown, result } = decode<Record<string, unknown>>(await response.text());
    if (thrown) throw thrown;
    return result;
  }

  const calls = rendererCalls.map((call) => [call, (...asked: unknown[]) => ask(call, asked)]);
  return Object.fromEntries(calls);
}
