import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment } from '../process/compile-cache.ts';
import { commandEntry } from '../site/built-folder.ts';
import type { Run, Variables } from '../site/site.ts';

/** A `media-asset login` in progress. */
export interface Login {
  /** The URL of the authorization page that it shows. */
  readonly address: string;
  type(text: string): void;
  interrupt(): void;
  readonly ended: Promise<Run>;
}

/** Starts `media-asset login` and waits until it shows the authorization page. */
export async function startLogin({
  directory,
  environment,
  words,
  entry = commandEntry,
}: {
  directory: string;
  environment: Variables;
  words: readonly string[];
  entry?: string;
}): Promise<Login> {
  const child = spawn(process.execPath, [entry, 'login', ...words], {
    cwd: directory,
    env: { ...childEnvironment, NO_COLOR: '1', ...environment },
  });
  let [stdout, stderr] = ['', ''];
  const shown = Promise.withResolvers<string>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    const [address] = /http\S+\/authorize\?\S+\n/.exec(stderr) ?? [];
    if (address) shown.resolve(address.trim());
  });
  const ended = once(child, 'close').then(([code]) => {
    shown.reject(new Error(`login has ended: ${stderr}`));
    return { exitCode: Number(code), stdout, stderr, output: `${stdout}${stderr}` };
  });
  return {
    address: await shown.promise,
    type: (text) => void child.stdin.write(text),
    interrupt: () => void child.kill('SIGINT'),
    ended,
  };
}

/** Submits the form of the emulator's authorization page. Returns the URL that it redirects to. */
export async function submitAuthorization(
  address: string,
  changes: Record<string, string> = {},
): Promise<string> {
  const page = await (await fetch(address)).text();
  const form = new URLSearchParams();
  for (const [, name = '', value = ''] of page.matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
  )) {
    form.set(name, value.replaceAll('&amp;', '&'));
  }
  const given = { username: 'editor', password: 'harbour', decision: 'allow', ...changes };
  for (const [name, value] of Object.entries(given)) form.set(name, value);
  const answer = await fetch(new URL('/authorize', address), {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`The form was refused: ${answer.status}`);
  return location;
}
