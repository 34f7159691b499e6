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
export type EmulatorSettingsInput = Partial<EmulatorSettings>;

const texts: Readonly<Record<keyof EmulatorSettings, [fallback: string, description: string]>> = {
  clientId: ['emulator', 'client ID for sign-in'],
  clientSecret: ['emulator-secret', 'client secret for sign-in'],
  username: ['editor', 'user name for sign-in'],
  password: ['harbour', "the user's password"],
  refreshToken: ['emulator-refresh-token', 'refresh token that it accepts and returns'],
  fields: ['', 'fields of every record, separated by commas'],
};

/** All settings as CLI flags (without dashes) and environment variables. */
export const emulatorSwitches = Object.entries(texts).map(([name, [fallback, description]]) => ({
  setting: name as keyof EmulatorSettings,
  flag: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  variable: `MEDIA_ASSET_EMULATOR_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
  default: fallback,
  description,
}));

/** Validates settings and adds defaults. Throws `emulator-options-invalid` with all problems. */
export function resolveSettings(input: EmulatorSettingsInput): EmulatorSettings {
  const problems: string[] = [];
  const settings = emulatorSwitches.map(({ setting, flag, default: fallback }) => {
    const value = input[setting] ?? fallback;
    const problem = problemOf(setting, value);
    if (problem) problems.push(`${setting} (--${flag}): expected ${problem}`);
    return [setting, value];
  });
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(texts, name));
  if (unknown.length > 0) problems.push(`${unknown.join(', ')}: unknown setting`);
  if (problems.length > 0) throw mediaAssetError('emulator-options-invalid', { problems });
  return Object.fromEntries(settings);
}

const fieldNames = /^([A-Za-z_][\w.-]{0,63}(,[A-Za-z_][\w.-]{0,63}){0,99})?$/;

/** What a value should be; empty if it's valid. Names no credential. */
function problemOf(setting: keyof EmulatorSettings, value: unknown): string {
  if (setting === 'fields') {
    const isList = typeof value === 'string' && fieldNames.test(value);
    return isList ? '' : `names, such as a,b, received ${JSON.stringify(value)}`;
  }
  if (typeof value !== 'string' || value === '') return 'text';
  return value.length > 1000 ? 'at most 1000 characters' : '';
}

/** Reads settings from flags and environment variables. Flags win. Empty variables are ignored. */
export function readSettings(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): EmulatorSettings {
  const given = emulatorSwitches.map(({ setting, variable }) => [
    setting,
    flags[setting] ?? (environment[variable] || undefined),
  ]);
  return resolveSettings(Object.fromEntries(given));
}
