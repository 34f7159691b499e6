/**
 * Replaces the messages of the catalogue with their codes, in this process and in all that it starts:
 * `TEST_CODES_AS_MESSAGES=1 npx vitest run`. Only tests of wording may fail then.
 */
import { registerHooks } from 'node:module';

const catalogueFile = /\/errors\/error-catalogue\.[jt]s$/;

if ('__vitest_worker__' in globalThis) {
  const { catalogue } = await import('../../../src/errors/error-catalogue.ts');
  for (const [code, entry] of Object.entries(catalogue))
    Object.assign(entry, { message: () => code });
  process.env.NODE_OPTIONS = `--import=${import.meta.url}`;
} else {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!catalogueFile.test(url)) return loaded;
      const replacement =
        'for (const [code, entry] of Object.entries(catalogue)) entry.message = () => code;';
      return { ...loaded, source: `${loaded.source}\n${replacement}` };
    },
  });
}
