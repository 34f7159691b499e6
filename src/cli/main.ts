#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { processTerminal } from './terminal/process-terminal.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A closed pipe (`| head`) or terminal isn't a failure.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
// Nothing that is left open, such as a connection, keeps an ended command alive.
setInterval(() => process.stdout.writableLength === 0 && process.exit(), 1500).unref();
