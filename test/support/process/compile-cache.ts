import { fileURLToPath } from 'node:url';

/** Makes Node programs keep their compiled modules, because tests start hundreds of them. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(
    new URL('../../../node_modules/.cache/node-compile', import.meta.url),
  ),
  // Of `codes-as-messages.ts`.
  ...(process.env.NODE_OPTIONS && { NODE_OPTIONS: process.env.NODE_OPTIONS }),
};

/** The least environment of a Node program. */
export const childEnvironment = { PATH: process.env.PATH, ...compileCache };
