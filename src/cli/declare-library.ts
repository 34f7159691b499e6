import { type Command, Option } from 'commander';
import { example, type ToAction } from './declare-command.ts';
import {
  toAssetId,
  toCrop,
  toFolderId,
  toLimit,
  toMaxSize,
  toSearchText,
} from './library-arguments.ts';

/** The commands about what lies in the service. */
export function declareLibrary(program: Command, run: ToAction): void {
  program.commandsGroup('Library:');

  libraryOptions(program.command('folders'))
    .description('Show the folders of the service.')
    .addHelpText('after', example('media-asset folders', 'media-asset folders --json'))
    .action(run(async () => (await import('./folders.ts')).folders));

  listOptions(program.command('files'))
    .description('List the files of a folder.')
    .argument('<folder>', 'id of the folder, as folders shows it', toFolderId)
    .addHelpText('after', example('media-asset files 12', 'media-asset files 12 --limit 50'))
    .action(run(async () => (await import('./files.ts')).files));

  listOptions(program.command('search'))
    .description('Find files by a text.')
    .argument('<text>', 'the text', toSearchText)
    .addHelpText('after', example('media-asset search "harbour at dawn"'))
    .action(run(async () => (await import('./search.ts')).search));

  libraryOptions(program.command('download'))
    .description('Download an asset: its original, or a crop that the service cuts.')
    .argument('<id>', 'id of the asset', toAssetId)
    .option('--crop <x,y,w,h>', 'rectangle in pixels of the original', toCrop)
    .addOption(
      new Option(
        '--custom-format <kind>',
        'how the service takes a crop; from the last build',
      ).choices(['size', 'corners']),
    )
    .option('-o, --output <file>', "a file, a folder, or - to pipe; the service's name without it")
    .option('--force', 'replace a file')
    .option('--max-size <MB>', 'end a download that is larger (default: 536)', toMaxSize)
    .addHelpText(
      'after',
      example(
        'media-asset download 4711',
        'media-asset download 4711 --crop 400,200,2400,1600 -o quay.jpg',
      ),
    )
    .action(run(async () => (await import('./download.ts')).download));

  libraryOptions(program.command('upload'))
    .description('Upload files into a folder of the service.')
    .argument('<file...>', 'files of this machine')
    .requiredOption('--folder <id>', 'id of the folder, as folders shows it', toFolderId)
    .addHelpText('after', example('media-asset upload quay.jpg ferry.jpg --folder 12'))
    .action(run(async () => (await import('./upload.ts')).upload));

  libraryOptions(program.command('update'))
    .description('Change the metadata of an asset.')
    .argument('<id>', 'id of the asset', toAssetId)
    .argument('<key=value...>', 'what changes; key:=value for JSON, such as a list or null')
    .addHelpText(
      'after',
      example(
        'media-asset update 4711 "name=The quay" "credit=Ada Berg"',
        'media-asset update 4711 tags:=\'["boats"]\' oldname:=null',
      ),
    )
    .action(run(async () => (await import('./update.ts')).update));

  libraryOptions(program.command('usages'))
    .description('Show where an asset is used, as the service lists it.')
    .argument('<id>', 'id of the asset', toAssetId)
    .addHelpText('after', example('media-asset usages 4711'))
    .action(run(async () => (await import('./usages.ts')).usages));
}

function libraryOptions(command: Command): Command {
  return command
    .option('--service <url>', "the service's address; from the last build or the environment")
    .option('--json', 'print JSON');
}

function listOptions(command: Command): Command {
  return libraryOptions(command).option('--limit <number>', 'files at most', toLimit);
}
