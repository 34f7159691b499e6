import { mediaAssetError } from '../errors/errors.ts';

/** All settings of the emulator. */
export interface EmulatorSettings {
  /** Client ID for sign-in. @default 'emulator' */
  readonly clientId: string;
  /** Client secret for sign-in. @default 'emulator-secret' */
  readonly clientSecret: string;
  /** User name for the `password` grant, and the author of reported usages. @default 'editor' */
  readonly username: string;
  /** The user's password. @default 'harbour' */
  readonly password: string;
  /** Refresh token for the `refresh_token` grant. @default 'emulator-refresh-token' */
  readonly refreshToken: string;
  /**
   * The fields of every record that the interface doesn't define, separated by commas. Records have all
   * of them, and an update with another field is refused. Without names, any field can be set.
   * @default ''
   */
  readonly fields: string;
}

/** Settings from a caller. Missing ones get their defaults. */
export type EmulatorSettingsInput = {
  readonly [name in keyof EmulatorSettings]?: EmulatorSettings[name] | undefined;
};

const defaults: EmulatorSettings = {
  clientId: 'emulator',
  clientSecret: 'emulator-secret',
  username: 'editor',
  password: 'harbour',
  refreshToken: 'emulator-refresh-token',
  fields: '',
};

const fieldNames = /^([A-Za-z_][\w.-]{0,63}(,[A-Za-z_][\w.-]{0,63}){0,99})?$/;

/** Adds defaults. Throws `emulator-options-invalid` for an invalid list of fields. */
export function resolveSettings(input: EmulatorSettingsInput): EmulatorSettings {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const settings: EmulatorSettings = { ...defaults, ...Object.fromEntries(given) };
  const { fields } = settings;
  if (fieldNames.test(fields)) return settings;
  const problems = [`fields: expected names, such as a,b, received ${JSON.stringify(fields)}`];
  throw mediaAssetError('emulator-options-invalid', { problems });
}
