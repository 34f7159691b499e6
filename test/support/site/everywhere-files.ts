import { drawMp4, drawPdf, drawSound } from '../images/test-files.ts';
import { drawTestImage } from '../images/test-images.ts';

/** What the pages of the fixture `everywhere` show, besides the images that each site has. */
export const everywhereFiles = {
  'vessel-bell.wav': drawSound(),
  'vessel-film.mp4': drawMp4({ width: 640, height: 360 }),
  'vessel-report.pdf': drawPdf(),
  'vessel-rope.mov': drawMp4({ width: 320, height: 180, brand: 'qt  ' }),
  // Its size isn't known.
  'vessel-sail.webm': Buffer.from(
    '1a45dfa39f4286810142f7810142f2810442f381084282847765626d',
    'hex',
  ),
  'vessel-wide.jpg': await drawTestImage({ path: 'vessel-wide.jpg', width: 1600, height: 1200 }),
};
