import { execFile } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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
  const requests = countUsageRequests(emulator.dataFolder) - before;
  console.log(describeRun({ requests, listed, problems: await auditSite() }));
  return 0;
});

/** The problems of `media-asset audit`, by check, with the number of images. */
async function auditSite(): Promise<[check: string, images: number][]> {
  const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const options = { cwd: siteFolder, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, 'audit', '--json'],
    options,
  );
  return Object.entries<number>(JSON.parse(stdout).counts.problems).filter(
    ([, images]) => images > 0,
  );
}

interface Summary {
  readonly requests: number;
  readonly listed: readonly ListedAsset[];
  readonly problems: Awaited<ReturnType<typeof auditSite>>;
}

function describeRun(run: Summary): string {
  const site = relative(process.cwd(), siteFolder) || '.';
  const change = run.requests === 0 ? ' (nothing changed)' : '';
  return `
What the service lists now, of a few of its assets
${run.listed.map(describeAsset).join('\n')}

Usage requests in this run: ${run.requests}${change}

What an audit finds (npx media-asset audit, in ${site})
${run.problems.map(([check, images]) => `  ${check.padEnd(26)}  ${images} images`).join('\n') || '  nothing'}

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
