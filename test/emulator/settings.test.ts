import { describe, expect, test } from 'vitest';
import { emulatorSwitches, readSettings } from '../../src/emulator/settings.ts';

const defaults = {
  clientId: 'emulator',
  clientSecret: 'emulator-secret',
  username: 'editor',
  password: 'harbour',
  refreshToken: 'emulator-refresh-token',
  fields: '',
};

describe('settings', () => {
  test.each([
    [{}, {}, {}],
    [{ clientId: 'museum' }, {}, { clientId: 'museum' }],
    [{}, { MEDIA_ASSET_EMULATOR_CLIENT_ID: 'museum' }, { clientId: 'museum' }],
    [{}, { MEDIA_ASSET_EMULATOR_FIELDS: 'alttext,credit' }, { fields: 'alttext,credit' }],
    [{}, { MEDIA_ASSET_EMULATOR_PASSWORD: '' }, {}],
    [{ username: 'Zoë' }, { MEDIA_ASSET_EMULATOR_USERNAME: 'editor' }, { username: 'Zoë' }],
    [{}, { MEDIA_ASSET_PASSWORD: "the site's own" }, {}],
  ])('are read from the flags %j and the variables %j', (flags, environment, expected) => {
    expect(readSettings(flags, environment)).toEqual({ ...defaults, ...expected });
  });

  test.each([
    [{ clientId: '' }, 'clientId (--client-id): expected text'],
    [{ password: 'x'.repeat(1001) }, 'password (--password): expected at most 1000 characters'],
    [{ fields: 'alttext,' }, 'fields (--fields): expected names, such as a,b, received "alttext,"'],
    [{ fields: '1' }, 'fields'],
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
    expect(emulatorSwitches.find(({ setting }) => setting === 'clientId')).toEqual({
      setting: 'clientId',
      flag: 'client-id',
      variable: 'MEDIA_ASSET_EMULATOR_CLIENT_ID',
      default: 'emulator',
      description: 'client ID for sign-in',
    });
    expect(emulatorSwitches.every(({ description }) => description !== '')).toBe(true);
  });
});
