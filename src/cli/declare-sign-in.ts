import { type Command, Option } from 'commander';
import { toPort, toSeconds } from './command-options.ts';
import { example, type ToAction } from './declare-command.ts';

/** How long a person may take to sign in, in seconds. */
const patience = 300;

/** `login`, `logout`, `whoami`: the credentials of a person. */
export function declareSignIn(program: Command, run: ToAction): void {
  program.commandsGroup('Sign-in:');
  const command = (name: string) =>
    program
      .command(name)
      .option('--service <url>', "the service's address; MEDIA_ASSET_BASE_URL without it")
      .option('--json', 'print JSON');

  command('login')
    .description('Sign in on the authorization page of the service, and keep the tokens.')
    .addOption(
      new Option('--port <number>', 'port of 127.0.0.1 for the way back; 0 takes a free one')
        .default(0)
        .argParser(toPort),
    )
    .option('--no-browser', 'print the address, and take the code or the address that is pasted')
    .addOption(
      new Option('--time-limit <seconds>', 'how long to wait for the sign-in')
        .default(patience)
        .argParser(toSeconds),
    )
    .addHelpText(
      'after',
      example('media-asset login', 'media-asset login --no-browser --port 7777'),
    )
    .action(run(async () => (await import('./login.ts')).login));

  command('logout')
    .description('Forget the tokens of a sign-in.')
    .addHelpText('after', example('media-asset logout'))
    .action(run(async () => (await import('./logout.ts')).logout));

  command('whoami')
    .description('Show where the credentials come from, and when they expire.')
    .addHelpText('after', example('media-asset whoami', 'media-asset whoami --json'))
    .action(run(async () => (await import('./whoami.ts')).whoami));
}
