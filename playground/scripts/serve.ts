import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { siteFolder, startAstro } from './processes/astro.ts';
import { startPlaygroundEmulator } from './processes/emulator.ts';
import { runScript } from './processes/run-script.ts';

/** Serves the built site for its visitors, and the service's page, until Ctrl-C. */
await runScript(async (keep) => {
  if (!existsSync(join(siteFolder, 'dist', 'index.html'))) {
    throw new Error('The site is not built yet. Run first: npm run playground');
  }
  const emulator = keep(await startPlaygroundEmulator());
  console.log(`Library    ${emulator.url}/ shows each picture and, live, where it is used`);
  const site = keep(startAstro(['preview', '--host', '127.0.0.1'], emulator.url));
  const code = await Promise.race([site.ended, emulator.ended]);
  console.log('The web server or the service has ended, and with it the other.');
  return code;
});
