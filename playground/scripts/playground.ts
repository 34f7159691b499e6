import { relative } from 'node:path';
import { assets } from '../src/assets.ts';
import { siteFolder, startAstro } from './processes/astro.ts';
import { startPlaygroundEmulator } from './processes/emulator.ts';
import { runScript } from './processes/run-script.ts';
import { countUsageRequests, type ListedAsset, readUsages } from './processes/service-view.ts';

/** The part of the service's list that the table shows. */
const shown = ['dawn', 'quay', 'netMaker', 'pilot'] as const;

/** Builds the museum's site against the emulator, and prints the service's usages afterwards. */
await runScript(async (keep) => {
  const emulator = keep(await startPlaygroundEmulator());
  const before = countUsageRequests(emulator.dataFolder);
  const code = await keep(startAstro(['build'], emulator.url)).ended;
  if (code !== 0) {
    console.error('\nThe build failed. The site and the service are as the log above says.');
    return code;
  }
  const listed = await readUsages(
    emulator.url,
    shown.map((name) => assets[name]),
  );
  console.log(describeRun({ requests: countUsageRequests(emulator.dataFolder) - before, listed }));
  return 0;
});

function describeRun(run: { requests: number; listed: readonly ListedAsset[] }): string {
  const site = relative(process.cwd(), siteFolder) || '.';
  const change = run.requests === 0 ? ' (nothing changed)' : '';
  return `
What the service lists now, of a few of its assets
${run.listed.map(describeAsset).join('\n')}

Usage requests in this run: ${run.requests}${change}

Where to look
  ${site}/dist               the built site
  npm run playground:serve      the built site and the service's own page, in a browser
  npm run playground:dev        the site with live preview

Change something and run this again: delete ${site}/src/content/stories/two-faces.md,
and the service no longer lists what that story showed.
`;
}

function describeAsset({ id, pages }: ListedAsset, index: number): string {
  const name = shown[index] ?? '';
  const paths = pages.map((page) => new URL(page).pathname).toSorted();
  const count = `${pages.length} ${pages.length === 1 ? 'page ' : 'pages'}`;
  return `  ${id}  ${name.padEnd(8)}  ${count.padStart(8)}   ${paths.join('  ')}`;
}
