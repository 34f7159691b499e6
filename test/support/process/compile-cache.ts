import { fileURLToPath } from 'node:url';

/**
 * The variable that makes Node programs keep their compiled modules. Tests start hundreds of them.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(
    new URL('../../../node_modules/.cache/node-compile', import.meta.url),
  ),
};
