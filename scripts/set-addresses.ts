/** `npm run addresses -- <owner>/<repository> [homepage]`: sets the addresses that the package waits for. */
import { setAddresses } from './addresses.ts';

const [repository = '', given] = process.argv.slice(2);
const [owner = '', name = ''] = repository.split('/');
if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
  throw new Error('Name the repository on GitHub, such as museum/astro-media-asset.');
const homepage = new URL(given ?? `https://${owner.toLowerCase()}.github.io/${name}`);
await setAddresses(process.cwd(), repository, homepage.href.replace(/\/$/, ''));
