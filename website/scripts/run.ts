/** `astro build` or `astro dev` of the website. */
import { withEmulator } from './website.ts';

const [command = 'build'] = process.argv.slice(2);
const { exitCode } = await withEmulator(({ astro }) => astro(command));
process.exitCode = exitCode;
