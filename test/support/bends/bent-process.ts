/** Runs a bent emulator, with its options as JSON, until a signal or the end of its parent. */
import { once } from 'node:events';
import { type BentEmulatorOptions, startBentEmulator } from './bent-emulator.ts';

/** The first message. */
export interface Started {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A call of one of the emulator's controls. */
export interface Control {
  readonly id: number;
  readonly name: 'setFaults' | 'faults' | 'setSettings' | 'reset';
  readonly value?: unknown;
}

export interface Answer {
  readonly id: number;
  readonly result: unknown;
}

const send = (message: unknown): void => void process.send?.(message);
const ended = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort());
process.once('disconnect', () => ended.abort());

try {
  const options = JSON.parse(process.argv[2] ?? '{}') as BentEmulatorOptions;
  const emulator = await startBentEmulator(options);
  process.on('message', ({ id, name, value }: Control) => {
    const call = emulator[name] as (value: unknown) => unknown;
    send({ id, result: call(value) } satisfies Answer);
  });
  const { url, environment } = emulator;
  send({ url, environment } satisfies Started);
  if (!ended.signal.aborted) await once(ended.signal, 'abort');
  await emulator.close();
} catch (error) {
  send({ problem: String(error) });
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
