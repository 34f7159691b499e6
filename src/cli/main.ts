#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { processTerminal } from './terminal.ts';

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => ended.abort());
}

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal(ended.signal));
