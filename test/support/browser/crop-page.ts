import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Point, Size } from '../../../src/assets/geometry/rectangle.ts';
import type {
  CropChange,
  GivenCuts,
  PresetShapes,
} from '../../../src/authoring/crop-editor/crop-state.ts';
import { drawTestImage } from '../images/test-images.ts';
import { type LocalServer, startLocalServer } from '../service/local-server.ts';

const scripts = fileURLToPath(new URL('../../../dist', import.meta.url));

/** The image's size, in pixels. */
export const original: Size = { width: 1200, height: 800 };

/** What the crop editor gets. */
interface GivenCrop extends GivenCuts {
  readonly layout?: Size & { readonly widths: readonly number[] };
  readonly presets?: PresetShapes;
  /** The message that saving fails with. */
  readonly saveFails?: string;
}

// The editor must work in pages that refuse inline scripts and styles.
const policy = "default-src 'self'; img-src blob:";

const html = `<!doctype html><html lang="en"><title>Crop</title><meta name="viewport"
content="width=device-width"><main><h1>A page</h1><button>Behind</button><div id="host"></div></main></html>`;

/** Serves the compiled crop editor on a page of its own. Needs `dist`. */
export function serveCropPage(): Promise<LocalServer> {
  return startLocalServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const send = (type: string, body: string | Uint8Array) =>
      response
        .writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy })
        .end(body);
    if (pathname === '/image.png') {
      return send('image/png', await drawTestImage({ path: 'image.png', ...original }));
    }
    if (pathname.endsWith('.js')) {
      return send('text/javascript', await readFile(join(scripts, pathname)));
    }
    return pathname === '/' ? send('text/html', html) : response.writeHead(204).end();
  });
}

/** Opens the editor in a page of `serveCropPage`, and waits until it's shown. */
export async function openCropEditor(page: Page, given: GivenCrop = {}): Promise<void> {
  const { saveFails, ...cut } = given;
  await page.goto('/');
  const options = JSON.stringify({ ...cut, original, saveLabel: 'Save' });
  await page.evaluate(`(async () => {
    const { openCropEditor } = await import('/authoring/crop-editor/crop-editor.js');
    const root = document.querySelector('#host').attachShadow({ mode: 'open' });
    const answer = await fetch('/image.png');
    const image = URL.createObjectURL(await answer.blob());
    globalThis.saved = [];
    globalThis.canceled = 0;
    globalThis.editor = openCropEditor(root, {
      ...${options},
      image,
      async onSave(change) {
        saved.push(change);
        const message = ${JSON.stringify(saveFails ?? null)};
        if (message !== null) throw new Error(message);
      },
      onCancel() { canceled += 1; },
    });
    await Promise.all([...root.querySelectorAll('img')].map((one) => one.decode()));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  })()`);
}

/** What the editor has saved, oldest first. */
export function savedChanges(page: Page): Promise<CropChange[]> {
  return page.evaluate('saved');
}

/** A point in pixels of an original of this width, on the screen. */
export async function onScreen(
  page: Page,
  { x, y }: Point,
  width = original.width,
): Promise<Point> {
  const frame = await page.getByRole('dialog').locator('.frame').boundingBox();
  if (!frame) throw new Error("The image isn't shown.");
  const scale = frame.width / width;
  return { x: frame.x + x * scale, y: frame.y + y * scale };
}

/** Drags from a point of the original to another. */
export async function drag(
  page: Page,
  { from, to, width }: { from: Point; to: Point; width?: number },
): Promise<void> {
  const start = await onScreen(page, from, width);
  const end = await onScreen(page, to, width);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 2 });
  await page.mouse.up();
}

/** X, y, width and height, in the editor's inputs. */
export async function numbers(page: Page): Promise<number[]> {
  const inputs = await page.getByRole('dialog').getByRole('spinbutton').all();
  return Promise.all(inputs.map(async (input) => Number(await input.inputValue())));
}
