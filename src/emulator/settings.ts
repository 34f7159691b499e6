import { mediaAssetError } from '../errors/errors.ts';
import { fieldName } from './library/sidecars.ts';

const defaults = {
  /** Client ID for sign-in. @default 'emulator' */
  clientId: 'emulator',
  /** Client secret for sign-in. @default 'emulator-secret' */
  clientSecret: 'emulator-secret',
  /** User name for the `password` grant, and the author of reported usages. @default 'editor' */
  username: 'editor',
  /** The user's password. @default 'harbour' */
  password: 'harbour',
  /** Refresh token for the `refresh_token` grant. @default 'emulator-refresh-token' */
  refreshToken: 'emulator-refresh-token',
  /**
   * The fields of every record that the interface doesn't define, separated by commas. Records have all
   * of them, and an update with another field is refused. Without names, any field can be set.
   * @default ''
   */
  fields: '',
};

export type EmulatorSettings = Readonly<typeof defaults>;

/** Settings from a caller. Missing ones get their defaults. */
export type EmulatorSettingsInput = {
  readonly [name in keyof EmulatorSettings]?: EmulatorSettings[name] | undefined;
};

/** Adds defaults. Throws `argument-invalid` for an invalid list of fields. */
export function resolveSettings(input: EmulatorSettingsInput): EmulatorSettings {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const settings: EmulatorSettings = { ...defaults, ...Object.fromEntries(given) };
  const { fields } = settings;
  if (fields === '' || fieldName.array().max(100).safeParse(fields.split(',')).success)
    return settings;
  const argument = { call: 'startEmulator()', name: 'fields', value: fields };
  throw mediaAssetError('argument-invalid', { ...argument, expected: 'names, such as a,b' });
}
