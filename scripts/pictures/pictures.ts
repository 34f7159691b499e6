import { devPictures } from './dev-pictures.ts';
import { pagePictures } from './page-pictures.ts';
import type { Picture } from './picture.ts';

/** In the order in which they're drawn on one stage. */
export const pictures: readonly Picture[] = [...pagePictures, ...devPictures];
