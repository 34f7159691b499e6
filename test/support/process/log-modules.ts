/**
 * Loaded before a program. Writes the URL of each module that the program loads to a file, one per
 * line.
 */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const file = process.env.MODULES_FILE ?? '';
registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
