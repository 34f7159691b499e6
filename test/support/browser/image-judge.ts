import type { Page } from 'playwright-core';

/** Draws an image on white and on black, or each frame of an animation. */
const script = `async ({ urls, frames }) => {
  const opened = (image) => {
    const width = image.naturalWidth ?? image.displayWidth;
    const height = image.naturalHeight ?? image.displayHeight;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    return ['white', 'black'].map((background) => {
      context.fillStyle = background;
      context.fillRect(0, 0, width, height);
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, width, height);
    });
  };
  const still = async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    return opened(image);
  };
  const animation = async (url) => {
    const type = url.slice(5, url.indexOf(';'));
    const decoder = new ImageDecoder({ data: await (await fetch(url)).arrayBuffer(), type });
    await Promise.all([decoder.completed, decoder.tracks.ready]);
    const count = decoder.tracks.selectedTrack.frameCount;
    const all = Array.from({ length: count }, (_, frameIndex) => decoder.decode({ frameIndex }));
    return (await Promise.all(all)).flatMap(({ image }) => opened(image));
  };
  const [one, other] = await Promise.all(urls.map(frames ? animation : still));
  const shapes = [one, other].map((all) => all.map(({ width, height }) => [width, height]).join(' '));
  if (shapes[0] !== shapes[1]) throw new Error('Sizes differ: ' + shapes.join(' and '));
  const means = one.map(({ data }, at) => {
    const sum = data.reduce((sum, value, index) => sum + Math.abs(value - other[at].data[index]), 0);
    return sum / (data.length * 0.75);
  });
  return Math.max(...means);
}`;

/**
 * The mean difference of two images as Chromium shows them, of 255: of their worst frame, on a white
 * or black page.
 *
 * @param page at an address of this machine
 */
export function differenceIn(
  page: Page,
  [one, other]: readonly [Uint8Array, Uint8Array],
  { frames = false }: { frames?: boolean } = {},
): Promise<number> {
  const urls = [one, other].map(
    (bytes) => `data:${typeOf(bytes)};base64,${Buffer.from(bytes).toString('base64')}`,
  );
  return page.evaluate(`(${script})(${JSON.stringify({ urls, frames })})`);
}

function typeOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('GIF')) return 'image/gif';
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8')) return 'image/jpeg';
  return start.startsWith('RIFF') ? 'image/webp' : 'image/avif';
}
