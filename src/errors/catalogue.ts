import { commandErrors } from './command-errors.ts';
import { configurationErrors } from './configuration-errors.ts';
import { emulatorErrors } from './emulator-errors.ts';
import { fileErrors } from './file-errors.ts';
import { imageErrors } from './image-errors.ts';
import { libraryErrors } from './library-errors.ts';
import { pageErrors } from './page-errors.ts';
import { requestErrors } from './request-errors.ts';
import { serviceErrors } from './service-errors.ts';
import { signInErrors } from './sign-in-errors.ts';
import { usageErrors } from './usage-errors.ts';

/**
 * Every error and finding of the product: its permanent code, its message (what happened and
 * why, naming the page, file, asset or URL) and its hint (what to do next).
 *
 * Messages avoid the words "document" and "window": Astro replaces the hint of an error whose
 * message holds one of them.
 */
export const catalogue = {
  ...configurationErrors,
  ...requestErrors,
  ...serviceErrors,
  ...signInErrors,
  ...imageErrors,
  ...fileErrors,
  ...pageErrors,
  ...usageErrors,
  ...libraryErrors,
  ...commandErrors,
  ...emulatorErrors,
};
