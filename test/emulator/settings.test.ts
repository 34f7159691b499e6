import { describe, expect, test } from 'vitest';
import { emulatorSwitches, readSettings, resolveSettings } from '../../src/emulator/settings.ts';

const defaults = {
  clientId: 'emulator',
  clientSecret: 'emulator-secret',
  username: 'editor',
  password: 'harbour',
  refreshToken: 'emulator-refresh-token',
  grants: 'authorization_code,refresh_token,password',
  tokenLifetime: 3600,
  tokenEncoding: 'any',
  refreshTokens: 'fixed',
  expiresIn: 'number',
  ids: 'positive',
  folderTree: 'flat-both',
  folderTreeAnswer: 'bare',
  fileListAnswer: 'bare',
  paging: 'none',
  pageSize: 100,
  uploadNames: 'filename,size,folder',
  fields: '',
  uploadUrl: 'absolute',
  fileRecord: 'object',
  usages: 'overwrite',
  removalMatches: 'page',
  removalTakes: 'all',
  removalOfNothing: 200,
  batches: 'whole',
  usageAnswer: 'json',
  usageList: 'bare',
  usageRecord: 'flat',
  recordCall: 'offered',
  validators: 'both',
  openDownloads: false,
  downloads: 'bytes',
  customFormat: 'size',
  cropPixels: 'displayed',
  cropOutside: 'refused',
  cors: '',
  errorBody: 'json',
  seed: 1,
  admin: false,
};

describe('settings', () => {
  test('have defaults', () => {
    expect(resolveSettings({})).toEqual(defaults);
  });

  test.each([
    [{}, {}, {}],
    [{ tokenLifetime: '1.5' }, {}, { tokenLifetime: 1.5 }],
    [{ openDownloads: true }, {}, { openDownloads: true }],
    [{}, { MEDIA_ASSET_EMULATOR_OPEN_DOWNLOADS: '1' }, { openDownloads: true }],
    [{}, { MEDIA_ASSET_EMULATOR_OPEN_DOWNLOADS: 'false' }, {}],
    [{}, { MEDIA_ASSET_EMULATOR_REMOVAL_MATCHES: 'all-fields' }, { removalMatches: 'all-fields' }],
    [{}, { MEDIA_ASSET_EMULATOR_REMOVAL_OF_NOTHING: '410' }, { removalOfNothing: 410 }],
    [{ seed: '7', admin: true }, {}, { seed: 7, admin: true }],
    [{}, { MEDIA_ASSET_EMULATOR_PASSWORD: '' }, {}],
    [{ usages: 'append' }, { MEDIA_ASSET_EMULATOR_USAGES: 'overwrite' }, { usages: 'append' }],
    [{}, { MEDIA_ASSET_PASSWORD: "the site's own" }, {}],
  ])('are read from the flags %j and the variables %j', (flags, environment, expected) => {
    expect(readSettings(flags, environment)).toEqual({ ...defaults, ...expected });
  });

  test.each([
    [
      { tokenLifetime: 'long' },
      'tokenLifetime (--token-lifetime): expected a whole number, received "long"',
    ],
    [
      { tokenLifetime: '-1' },
      'tokenLifetime (--token-lifetime): expected more than 0, received -1',
    ],
    [{ tokenLifetime: '' }, 'tokenLifetime'],
    [{ openDownloads: 'maybe' }, 'openDownloads'],
    [{ validators: 'strong' }, 'validators'],
    [{ clientId: '' }, 'clientId'],
    [{ removalOfNothing: '500' }, 'removalOfNothing'],
    [{ seed: '1.5' }, 'seed (--seed): expected a whole number, received 1.5'],
    [{ seed: '99999999999' }, 'seed (--seed): expected 4294967295 or less'],
    [{ uploadNames: 'a,b' }, 'uploadNames'],
    [{ uploadNames: 'a,a,b' }, 'uploadNames'],
  ])('refuse the flags %j', (flags, name) => {
    expect(() => readSettings(flags, {})).toThrow(
      expect.objectContaining({
        code: 'emulator-options-invalid',
        message: expect.stringContaining(name),
      }),
    );
  });

  test('have a flag, a variable and a description each', () => {
    expect(emulatorSwitches.map(({ setting }) => setting)).toEqual(Object.keys(defaults));
    expect(emulatorSwitches.find(({ setting }) => setting === 'removalMatches')).toEqual({
      setting: 'removalMatches',
      flag: 'removal-matches',
      variable: 'MEDIA_ASSET_EMULATOR_REMOVAL_MATCHES',
      type: 'string',
      choices: ['page', 'page-project', 'all-fields'],
      default: 'page',
      description: 'fields that a removal must match',
    });
    expect(emulatorSwitches.find(({ setting }) => setting === 'removalOfNothing')).toMatchObject({
      type: 'number',
      choices: ['200', '400', '404', '409', '410', '422'],
    });
    expect(emulatorSwitches.every(({ description }) => description !== '')).toBe(true);
  });
});
