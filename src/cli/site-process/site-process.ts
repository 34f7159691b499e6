import picocolors from 'picocolors';
import { runCommandLine } from '../command-line.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SiteProcessMessage, SiteProcessStart } from './run-site-process.ts';

// The config must not reach the channel: its messages would count as ours.
const channel = process.send?.bind(process);
delete process.send;
process.on('disconnect', () => process.exit());

const send = (message: SiteProcessMessage) => void channel?.(message);
const crash = (problem: string) =>
  channel?.({ kind: 'crash', problem } satisfies SiteProcessMessage, () => process.exit(1));
process.on('uncaughtException', (thrown: unknown) =>
  crash(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)),
);

const start: SiteProcessStart = JSON.parse(process.argv[2] ?? '');
const { words, directory, width, noteWidth } = start;
// As in a build.
process.env.NODE_ENV ||= 'production';

const terminal: Terminal = {
  print: (_, text) => send({ kind: 'out', text: text() }),
  out: (text) => send({ kind: 'out', text }),
  note: (text) => send({ kind: 'note', text }),
  annotate: start.canAnnotate ? (annotation) => send({ kind: 'annotate', annotation }) : undefined,
  isSiteProcess: true,
  redraw: start.canRedraw ? (text) => send({ kind: 'redraw', text }) : undefined,
  // These commands ask nothing.
  confirm: undefined,
  ask: async () => undefined,
  paint: picocolors.createColors(start.hasColours),
  notePaint: picocolors.createColors(start.hasNoteColours),
  ...{ width, noteWidth, directory },
  environment: process.env,
  signal: new AbortController().signal,
};

send({ kind: 'end', exitCode: await runCommandLine(words, terminal) });
