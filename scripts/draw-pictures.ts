/**
 * Draws the images of the docs that show the product, and writes their facts: `npm run docs:pictures`.
 * With names, it draws only these: `npm run docs:pictures -- overview crop-editor`. Without the packages
 * of `test/cms`, those of CMSs stay as they are.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../playground/scripts/processes/free-port.ts';
import { digestOf, walkThrough } from './pictures/picture.ts';
import { canDraw, pictures } from './pictures/pictures.ts';
import { openStage } from './pictures/stage.ts';
import { drawTerminals } from './pictures/terminal-pictures.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const docs = join(root, 'docs');
const facts = join(root, 'fixtures/pictures');
const names = process.argv.slice(2);
const isAsked = (name: string) => names.length === 0 || names.includes(name);

await mkdir(facts, { recursive: true });
const stage = await openStage({ port: await findFreePort(4710), withFiles: true });
try {
  for (const picture of pictures.filter((one) => isAsked(one.name) && canDraw(one))) {
    const { frames, shots } = await walkThrough(picture, stage, true);
    const files: Record<string, string> = {};
    for (const [file, bytes] of Object.entries(await picture.files(shots))) {
      await writeFile(join(docs, file), bytes);
      files[file] = digestOf(bytes);
    }
    const text = `${JSON.stringify({ frames, files }, null, 2)}\n`;
    await writeFile(join(facts, `${picture.name}.json`), text);
    console.log(Object.keys(files).join(', '));
  }
  await stage.endDev();
  if (isAsked('terminals')) {
    for (const [file, text] of Object.entries(await drawTerminals(stage))) {
      await writeFile(join(docs, file), text);
      console.log(file);
    }
  }
} finally {
  await stage.close();
}
