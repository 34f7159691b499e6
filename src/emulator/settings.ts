import { z } from 'zod';
import { mediaAssetError } from '../errors/errors.ts';

const text = (value: string, description: string) =>
  z.string().min(1).max(1000).default(value).describe(description);

const settingsSchema = z.strictObject({
  /** Client ID for sign-in. @default 'emulator' */
  clientId: text('emulator', 'client ID for sign-in'),
  /** Client secret for sign-in. @default 'emulator-secret' */
  clientSecret: text('emulator-secret', 'client secret for sign-in'),
  /** User name for the `password` grant, and the author of reported usages. @default 'editor' */
  username: text('editor', 'user name for sign-in'),
  /** The user's password. @default 'harbour' */
  password: text('harbour', "the user's password"),
  /** Refresh token for the `refresh_token` grant. @default 'emulator-refresh-token' */
  refreshToken: text('emulator-refresh-token', 'refresh token that it accepts and returns'),
  /**
   * The fields of every record that the interface doesn't define, separated by commas. Records have all
   * of them, and an update with another field is refused. Without names, any field can be set.
   * @default ''
   */
  fields: z
    .string()
    .regex(
      /^([A-Za-z_][\w.-]{0,63}(,[A-Za-z_][\w.-]{0,63}){0,99})?$/,
      'expected names, such as a,b',
    )
    .default('')
    .describe('fields of every record, separated by commas'),
});

/** All settings of the emulator. */
export type EmulatorSettings = z.output<typeof settingsSchema>;

/** Settings from a caller. Missing ones get their defaults. */
export type EmulatorSettingsInput = z.input<typeof settingsSchema>;

const settingNames = Object.keys(settingsSchema.shape) as (keyof EmulatorSettings)[];

/** Validates settings and adds defaults. Throws `emulator-options-invalid` with all problems. */
export function resolveSettings(input: EmulatorSettingsInput): EmulatorSettings {
  const result = settingsSchema.safeParse(input);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => problemOf(issue, input));
  throw mediaAssetError('emulator-options-invalid', { problems }, { cause: result.error });
}

function problemOf(issue: z.core.$ZodIssue, input: EmulatorSettingsInput): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: unknown setting`;
  const setting = settingNames.find((name) => name === issue.path[0]);
  if (setting === undefined) return `settings: ${issue.message}`;
  // The others are credentials.
  const received = setting === 'fields' ? `, received ${JSON.stringify(input.fields)}` : '';
  return `${setting} (--${flagOf(setting)}): ${expectationOf(issue)}${received}`;
}

function expectationOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_format') return issue.message;
  return issue.code === 'too_big' ? 'expected at most 1000 characters' : 'expected text';
}

/** Without dashes: `client-id`. */
function flagOf(setting: keyof EmulatorSettings): string {
  return setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A setting as a CLI flag and environment variable. */
export interface EmulatorSwitch {
  readonly setting: keyof EmulatorSettings;
  /** Without dashes: `client-id`. */
  readonly flag: string;
  /** Such as `MEDIA_ASSET_EMULATOR_CLIENT_ID`. */
  readonly variable: string;
  readonly default: string;
  readonly description: string;
}

/** All settings as CLI flags, so that a new setting needs no change in the CLI. */
export const emulatorSwitches: readonly EmulatorSwitch[] = settingNames.map((setting) => ({
  setting,
  flag: flagOf(setting),
  variable: `MEDIA_ASSET_EMULATOR_${setting.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
  default: settingsSchema.shape[setting].parse(undefined),
  description: settingsSchema.shape[setting].description ?? '',
}));

/**
 * Reads settings from flags and environment variables. Flags win. Empty variables are ignored.
 *
 * @param flags values by setting name
 * @throws MediaAssetError `emulator-options-invalid`
 */
export function readSettings(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): EmulatorSettings {
  const given = emulatorSwitches.flatMap(({ setting, variable }) => {
    const value = flags[setting] ?? (environment[variable] || undefined);
    return value === undefined ? [] : [[setting, value] as const];
  });
  return resolveSettings(Object.fromEntries(given) as EmulatorSettingsInput);
}
