import { startAstro } from './processes/astro.ts';
import { startPlaygroundEmulator } from './processes/emulator.ts';
import { runScript } from './processes/run-script.ts';

/** The site with live preview, and the service, until Ctrl-C. */
await runScript(async (keep) => {
  const emulator = keep(await startPlaygroundEmulator());
  console.log(`Library    ${emulator.url}/ shows each picture and, live, where it is used`);
  const site = keep(startAstro(['dev', '--host', '127.0.0.1'], emulator.url));
  const code = await Promise.race([site.ended, emulator.ended]);
  console.log('The dev server or the service has ended, and with it the other.');
  return code;
});
