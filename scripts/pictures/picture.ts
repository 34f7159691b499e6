import { createHash } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import type { Stage } from './stage.ts';

/** An image of the docs that shows the product. `npm run docs:pictures` draws it. */
export interface Picture {
  /** Its facts are in `fixtures/pictures/<name>.json`. */
  readonly name: string;
  /** Does what it shows, and takes its frames on the way. */
  walk(stage: Stage, frame: TakeFrame): Promise<void>;
  /** Its files in `docs/`, from the screenshots of its frames. */
  files(shots: readonly Shot[]): Promise<Readonly<Record<string, Buffer>>>;
}

/** What a frame shows. Drawing it again gives the same, although fonts and encoders change its bytes. */
export interface FrameFacts {
  /** The IDs of the page's images. */
  readonly assets: readonly string[];
  /** The accessible tree, line by line. */
  readonly tree: readonly string[];
}

export interface Shot {
  readonly image: Buffer;
  /** How long an animation shows it, in milliseconds. */
  readonly ms: number;
}

export interface PictureFacts {
  readonly frames: readonly FrameFacts[];
  /** The SHA-256 of each file in `docs/`. */
  readonly files: Readonly<Record<string, string>>;
}

interface FrameOptions {
  readonly ms?: number;
  /** What the mouse is over. */
  readonly pointed?: Locator;
}

type TakeFrame = (page: Page, options?: FrameOptions) => Promise<void>;

/** Walks through a picture. Without `isDrawn`, there are no screenshots. */
export async function walkThrough(
  picture: Picture,
  stage: Stage,
  isDrawn: boolean,
): Promise<{ frames: FrameFacts[]; shots: Shot[] }> {
  const frames: FrameFacts[] = [];
  const shots: Shot[] = [];
  await picture.walk(stage, async (page, { ms = 0, pointed } = {}) => {
    await page.waitForLoadState('networkidle');
    await pointed?.hover();
    await page.waitForFunction(imagesAreThere);
    frames.push(await factsOf(page));
    if (isDrawn) shots.push({ image: await page.screenshot(), ms });
  });
  return { frames, shots };
}

export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Thumbnails load after the page is idle, in shadow trees too. Lazy images below the window don't. */
const imagesAreThere = `(function all(root) {
  return [...root.querySelectorAll('*')].every((one) => {
    const { top, bottom, height } = one.getBoundingClientRect();
    const isSeen = one.localName === 'img' && height > 0 && bottom > 0 && top < innerHeight;
    return (!isSeen || one.complete) && (!one.shadowRoot || all(one.shadowRoot));
  });
})(document)`;

const shownAssets = `[...new Set(Array.from(
  document.querySelectorAll('[data-media-asset]'),
  (one) => one.dataset.mediaAsset,
))]`;

async function factsOf(page: Page): Promise<FrameFacts> {
  const tree = (await page.locator('body').ariaSnapshot())
    // Ports, the files' hashes, today's date and a file's own are others in each run.
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:4710')
    .replace(/\d{4}-\d\d-\d\d|\d+\/\d+\/\d{4}, [\d:]+\s[AP]M/g, '<date>')
    .replace(/\/url: (?:\S*[/.](?:webp|avif|jpg|png|svg)\S*|\S*\/@\S*)/g, '/url: <file>');
  return { assets: (await page.evaluate<string[]>(shownAssets)).sort(), tree: tree.split('\n') };
}
