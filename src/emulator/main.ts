/**
 * Runs the emulator as its own process, without the CLI:
 * `node src/emulator/main.ts --media <folder> --data <folder> [--port 0] [--token-lifetime 60] …`
 */
import { parseArgs } from 'node:util';
import { serveEmulator } from './serve-emulator.ts';
import { emulatorSwitches, readSettings } from './settings.ts';

const { values } = parseArgs({
  options: {
    media: { type: 'string' },
    data: { type: 'string' },
    port: { type: 'string', default: '0' },
    ...Object.fromEntries(
      emulatorSwitches.map(({ flag, type }) => [
        flag,
        { type: type === 'boolean' ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
  },
});
const flags = Object.fromEntries(
  emulatorSwitches.map(({ setting, flag }) => [setting, (values as Record<string, unknown>)[flag]]),
);

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
// If a test runner that started this process dies, no one else would end it.
process.once('disconnect', () => stop.abort());

await serveEmulator(
  {
    ...readSettings(flags, process.env),
    media: values.media ?? '',
    data: values.data ?? '',
    port: Number(values.port),
  },
  {
    out: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    signal: stop.signal,
  },
);
if (process.connected) process.disconnect();
