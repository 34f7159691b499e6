import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { pictures } from './pictures/catalogue.ts';
import { drawPicture } from './pictures/draw-picture.ts';

/** The folder of the emulator's media. */
export const mediaFolder = fileURLToPath(new URL('../media', import.meta.url));

/** Draws the pictures that the folder lacks, two at a time; gives their paths. */
export async function drawPictures(
  folder: string,
  onDrawn: (path: string) => void = () => {},
): Promise<string[]> {
  const missing = pictures.filter(({ path }) => !existsSync(join(folder, path)));
  const limit = pLimit(2);
  await Promise.all(
    missing.map((picture) =>
      limit(async () => {
        await drawPicture(picture, join(folder, picture.path));
        onDrawn(picture.path);
      }),
    ),
  );
  return missing.map(({ path }) => path);
}

if (import.meta.main) {
  const drawn = await drawPictures(mediaFolder, (path) => console.log(`drawn  ${path}`));
  console.log(drawn.length === 0 ? 'No picture is missing.' : `${drawn.length} pictures drawn.`);
}
