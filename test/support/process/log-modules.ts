/** Loaded before a program. Writes the URLs of the modules that the program loads to a file. */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const file = process.env.MODULES_FILE ?? '';
registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
