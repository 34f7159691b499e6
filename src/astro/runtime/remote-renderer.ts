import { mediaAssetError } from '../../errors/errors.ts';
import type { Renderer } from '../renderer.ts';
import { decode, encode } from './wire.ts';

/** Where the renderer of a running build or dev server answers, and what it asks for. */
export interface Loopback {
  readonly url: string;
  readonly secret: string;
}

/**
 * The renderer for page code in another runtime than Node. Bundlers add it to the site's code, so it
 * imports nothing of Node.
 */
export function remoteRenderer({ url, secret }: Loopback): Renderer {
  async function ask<Call extends keyof Renderer>(
    call: Call,
    ...asked: Parameters<Renderer[Call]>
  ): Promise<Awaited<ReturnType<Renderer[Call]>>> {
    const headers = { Authorization: `Bearer ${secret}` };
    const body = encode({ call, asked });
    const response = await fetch(url, { method: 'POST', headers, body }).catch((cause: Error) => {
      throw mediaAssetError('renderer-unreachable', { problem: cause.message }, { cause });
    });
    if (!response.ok)
      throw mediaAssetError('renderer-unreachable', { problem: `HTTP ${response.status}` });
    const { thrown, result } = decode<Record<string, never>>(await response.text());
    if (thrown) throw thrown;
    return result as never;
  }

  return {
    checkCall: (...asked) => ask('checkCall', ...asked),
    getMediaAsset: (...asked) => ask('getMediaAsset', ...asked),
    getMediaFile: (...asked) => ask('getMediaFile', ...asked),
    getMediaCredit: (...asked) => ask('getMediaCredit', ...asked),
    structuredData: (...asked) => ask('structuredData', ...asked),
  };
}
