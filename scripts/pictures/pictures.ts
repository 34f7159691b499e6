import { findCmsPackages } from '../../test/support/site/cms-packages.ts';
import { cmsPictures } from './cms-pictures.ts';
import { devPictures } from './dev-pictures.ts';
import { pagePictures } from './page-pictures.ts';
import type { Picture } from './picture.ts';
import { sheetPicture } from './sheet-picture.ts';

/** In the order in which they're drawn on one stage. */
export const pictures: readonly Picture[] = [
  ...pagePictures,
  ...devPictures,
  sheetPicture,
  ...cmsPictures,
];

/** Whether a picture can be drawn here: those of CMSs need the packages of `test/cms`. */
export const canDraw: (picture: Picture) => boolean = findCmsPackages()
  ? () => true
  : (picture) => !cmsPictures.includes(picture);
