import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import {
  clientFiles,
  clientOptionBlocks,
  optionBlocks,
  optionFiles,
} from '../../scripts/options-table.ts';
import { imageOptions } from '../../src/assets/request/props.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (files: readonly string[]) =>
  Promise.all(files.map((file) => readFile(`${root}${file}`, 'utf8')));

const site = `${root}site.ts`;

/** What an editor shows at each position of a site's code, which uses the built package. */
function shownAt(code: string, positions: readonly number[]): string[] {
  const options = {
    ...{ module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true },
    target: ts.ScriptTarget.ESNext,
  };
  const service = ts.createLanguageService({
    fileExists: (file) => file === site || ts.sys.fileExists(file),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    getCompilationSettings: () => options,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [site],
    getScriptSnapshot: (file) => {
      const text = file === site ? code : ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getScriptVersion: () => '1',
  });
  return positions.map((position) => {
    const info = service.getQuickInfoAtPosition(site, position);
    return ts.displayPartsToString(info?.documentation);
  });
}

const optionPaths = [...optionBlocks(await read(optionFiles)).keys()];
const calls: readonly [call: string, paths: readonly string[]][] = [
  ['mediaAsset', [...optionPaths, ...imageOptions.map((name) => `images.${name}`)]],
  ['createMediaService', [...clientOptionBlocks(await read(clientFiles)).keys()]],
  ['mediaAsset', ['servise']],
];

/** The paths of each call that show nothing. Each is alone: `mediaAsset({ service: { baseUrl: any } });`. */
function undocumented(): string[][] {
  let code = `import mediaAsset from './dist/index.js';
import { createMediaService } from './dist/service/index.js';
declare const any: any;
`;
  const positions = calls.flatMap(([call, paths]) =>
    paths.map((path) => {
      const names = path.split('.');
      const opened = `${call}(${names.map((name) => `{ ${name}: `).join('')}`;
      const position = code.length + opened.length - `${names.at(-1)}: `.length;
      code += `${opened}any${' }'.repeat(names.length)});\n`;
      return position;
    }),
  );
  const shown = shownAt(code, positions);
  return calls.map(([, paths]) => paths.filter(() => shown.shift() === ''));
}

test('an editor shows what each option means', () => {
  expect(calls[0]?.[1]).toEqual(expect.arrayContaining(['service.baseUrl', 'report.when']));
  expect(calls[1]?.[1]).toContain('baseUrl');
  // The last one isn't an option, so it has no docblock.
  expect(undocumented()).toEqual([[], [], ['servise']]);
});
