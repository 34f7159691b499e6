/** Runs the playground's service until a signal, or until the script that started it ends. */
import { parseArgs } from 'node:util';
import { emulator } from '../../../src/cli/commands/emulator.ts';

const { values } = parseArgs({
  options: {
    media: { type: 'string', default: 'media' },
    data: { type: 'string', default: '.emulator' },
    port: { type: 'string', default: '0' },
    fields: { type: 'string', default: '' },
  },
});
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
process.once('disconnect', () => stop.abort());

await emulator(
  { ...values, port: Number(values.port) },
  {
    out: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    signal: stop.signal,
    directory: process.cwd(),
  },
);
if (process.connected) process.disconnect();
