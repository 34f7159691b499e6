import { drawFiles } from './draw-files.ts';
import { drawPictures, mediaFolder } from './draw-pictures.ts';

/** Draws all that the playground's service holds and the folder lacks; gives the paths. */
export async function drawMedia(onDrawn: (path: string) => void = () => {}): Promise<string[]> {
  const pictures = await drawPictures(mediaFolder, onDrawn);
  return [...pictures, ...(await drawFiles(mediaFolder, onDrawn))];
}
