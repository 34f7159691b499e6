import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { misbehaviours, startMisbehavingService } from '../support/service/misbehaving-service.ts';
import { createBuiltFolder } from '../support/site/built-folder.ts';

const refused = 'a refused connection';
type Case = keyof typeof misbehaviours | typeof refused;

/** The code that a command ends with; undefined where there is nothing wrong for it. */
type Codes = Readonly<Record<Case, string | undefined>>;

const codes: Codes = {
  'an HTML page with 200': 'answer-html',
  'a redirect loop': 'redirect-refused',
  'a redirect to http': 'redirect-refused',
  'a redirect to a private address': 'redirect-refused',
  'a body without end': 'answer-unexpected',
  'JSON a thousand levels deep': 'answer-unexpected',
  'a status 403': 'request-forbidden',
  'a status 404': 'request-refused',
  [refused]: 'service-unreachable',
};

const asset = { ...codes, 'a status 404': 'library-unknown' };
const folder = { ...codes, 'a status 404': 'library-unknown' };

/** Each answer that is neither a record nor a refusal leaves open whether there is a record. */
const record: Codes = {
  ...folder,
  'an HTML page with 200': 'upload-unanswered',
  'a redirect loop': 'upload-unanswered',
  'a redirect to http': 'upload-unanswered',
  'a redirect to a private address': 'upload-unanswered',
  'a body without end': 'upload-unanswered',
  'JSON a thousand levels deep': 'upload-unanswered',
};

const bytes: Codes = {
  ...asset,
  'a body without end': 'download-too-large',
  // A JSON file is an original like another.
  'JSON a thousand levels deep': undefined,
};

const commands: readonly [words: string, codes: Codes][] = [
  ['folders', codes],
  ['files 2', folder],
  ['search quay', codes],
  ['usages 4711', asset],
  ['download 4711 --max-size 1', bytes],
  ['upload mine.bin --folder 1', record],
  // Any JSON may be the answer to an update.
  ['update 4711 credit=Ada', { ...asset, 'JSON a thousand levels deep': undefined }],
];

describe.concurrent.each(commands)('%s', { timeout: 90_000 }, (words, expected) => {
  const cases = Object.entries(expected).filter(([, code]) => code !== undefined);

  test.each(cases as [Case, string][])(
    'that meets %s is [%s], shows no secret and leaves nothing',
    async (name, code) => {
      const silent = name === refused;
      const service = await startMisbehavingService(silent ? () => {} : misbehaviours[name]);
      if (silent) await service.close();
      const project = await createBuiltFolder();
      try {
        await project.write('mine.bin', 'mine');
        const { exitCode, stdout, stderr, output } = await project.command(words.split(' '), {
          HOME: project.dir,
          MEDIA_ASSET_BASE_URL: service.url,
          MEDIA_ASSET_ACCESS_TOKEN: 'lantern-oil',
        });
        expect(exitCode).toBe(1);
        expect(stderr).toContain(`[${code}]`);
        expect(stdout).toBe(words.startsWith('upload') ? '0 files uploaded, 1 not.\n' : '');
        expect(output).not.toMatch(/lantern|^\s+at /m);
        expect(await readdir(project.dir)).toEqual(['mine.bin']);
        expect(await readFile(project.path('mine.bin'), 'utf8')).toBe('mine');
      } finally {
        await project.delete();
        if (!silent) await service.close();
      }
    },
  );
});
