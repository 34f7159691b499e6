import { commandsPage } from './commands-page.ts';
import { errorFiles, errorsPage } from './errors-page.ts';
import { clientFiles, optionFiles, optionsTable } from './options-table.ts';
import { servicePage } from './service-page.ts';

const note = '<!-- Made by `npm run docs`. Edit the source that it names. -->';

/** Each generated page of the docs: its path and its text. */
export async function generatedDocs(
  read: (path: string) => Promise<string>,
): Promise<[path: string, text: string][]> {
  return [
    [
      'docs/reference/options.md',
      [
        '# Options',
        note,
        "```js\nmediaAsset({\n  crops: 'local',\n  report: { when: 'deploy', project: 'Museum' },\n})\n```",
        'An option overrides its variable, which can come from a `.env` file. Of several credentials, the access token wins, then the refresh token, then the user name. [Most commands](commands.md#where-settings-come-from) use the options of the last build.',
        optionsTable(await Promise.all(optionFiles.map(read))),
        '',
      ].join('\n\n'),
    ],
    [
      'docs/reference/errors.md',
      [
        '# Errors and findings',
        note,
        'Every code that a build or a command can print. `npx --no media-asset explain <code>` prints the same. Codes are permanent.',
        '**Details** are what JSON output has as data, next to `code`, `page`, `place` and `asset`: values that the message was made from, texts or numbers unless a type is named, with at most 1,000 characters each. One that a message leaves out is missing. A `Subject` is `{ page, place, id, caller }` as far as it is known, and an `UnavailableAsset` is `{ id, reason, asked: Subject[] }`.',
        errorsPage(await Promise.all(errorFiles.map(read))),
        '',
      ].join('\n\n'),
    ],
    [
      'docs/reference/commands.md',
      [
        '# Commands',
        note,
        'Run a command in the folder of your project. `media-asset help <command>` prints its part of this page. Results go to standard output, everything else to standard error.',
        commandsPage(),
        '',
      ].join('\n\n'),
    ],
    [
      'docs/reference/service.md',
      servicePage(
        await read('docs/reference/service.md'),
        await Promise.all(clientFiles.map(read)),
      ),
    ],
  ];
}
