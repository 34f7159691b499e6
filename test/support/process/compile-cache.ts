import { fileURLToPath } from 'node:url';

/** The variable that lets Node programs keep their compiled modules: tests start hundreds of them. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(
    new URL('../../../node_modules/.cache/node-compile', import.meta.url),
  ),
};
