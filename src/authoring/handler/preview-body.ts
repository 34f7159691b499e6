import { sniffBytes } from '../../assets/formats/sniff-bytes.ts';
import { mediaAssetError } from '../../errors/errors.ts';

const shownByBrowsers: readonly unknown[] = ['jpeg', 'png', 'gif', 'webp', 'avif'];

/** In bytes. Enough to tell these formats apart. */
const peeked = 16;

/** An image that a browser shows, by its own bytes. Cancels anything else: `preview-missing`. */
export async function previewBody(id: number, body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  let start: Uint8Array = new Uint8Array();
  let isWhole = false;
  // They can come one by one.
  while (start.length < peeked && !isWhole) {
    const { done, value = new Uint8Array() } = await reader.read();
    isWhole = done;
    start = Buffer.concat([start, value]);
  }
  const { kind, description } = sniffBytes(start);
  if (!shownByBrowsers.includes(kind)) {
    await reader.cancel().catch(() => {});
    throw mediaAssetError('preview-missing', { id, kind: description });
  }
  const whole = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(start),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { body: whole, type: `image/${kind}` };
}
