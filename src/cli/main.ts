#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { processTerminal } from './terminal/process-terminal.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) and a closed terminal are no failure of the command.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
