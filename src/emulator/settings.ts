import { z } from 'zod';
import { mediaAssetError } from '../errors.ts';

const secret = z.string().min(1).max(1000);

const settingsSchema = z.strictObject({
  /**
   * Client id that the token call accepts.
   * @default 'emulator'
   */
  clientId: secret.default('emulator').describe('client id that may sign in'),
  /**
   * Client secret that belongs to the client id.
   * @default 'emulator-secret'
   */
  clientSecret: secret.default('emulator-secret').describe('its client secret'),
  /**
   * User of the `password` grant; usages are created in this name.
   * @default 'editor'
   */
  username: secret.default('editor').describe('user that may sign in'),
  /**
   * Password of the user.
   * @default 'harbour'
   */
  password: secret.default('harbour').describe("the user's password"),
  /**
   * Refresh token that the `refresh_token` grant accepts. It is never replaced.
   * @default 'emulator-refresh-token'
   */
  refreshToken: secret
    .default('emulator-refresh-token')
    .describe('refresh token that is accepted and given out'),
  /**
   * How long an access token is valid, in seconds; may be a fraction.
   * @default 3600
   */
  tokenLifetime: z
    .number()
    .positive()
    .max(31_536_000)
    .default(3600)
    .describe('seconds that an access token is valid'),
  /**
   * A second report of the same asset on the same page replaces the first record, or is kept as a
   * second one.
   * @default 'overwrite'
   */
  usages: z
    .enum(['overwrite', 'append'])
    .default('overwrite')
    .describe('what a repeated report of a usage does'),
  /**
   * Which records of an asset a removal takes away: those of the page; those of the page and the
   * project; those that agree in every field.
   * @default 'page'
   */
  removalMatches: z
    .enum(['page', 'page-project', 'all-fields'])
    .default('page')
    .describe('what a removal must agree in'),
  /**
   * Validators that downloads carry.
   * @default 'both'
   */
  validators: z
    .enum(['etag', 'last-modified', 'both', 'none'])
    .default('both')
    .describe('validators that downloads carry'),
  /**
   * Downloads are answered without a token, as behind a public gateway.
   * @default false
   */
  openDownloads: z.boolean().default(false).describe('answer downloads without a token'),
});

/** Everything that can be switched in the emulator. */
export type EmulatorSettings = z.output<typeof settingsSchema>;

/** Settings as a caller gives them: what is left out has its default. */
export type EmulatorSettingsInput = z.input<typeof settingsSchema>;

/** The names of all settings, in the order of the schema. */
const settingNames = Object.keys(settingsSchema.shape) as (keyof EmulatorSettings)[];

/**
 * Completes and checks settings.
 *
 * @throws MediaAssetError `emulator-options-invalid` with all problems at once.
 */
export function resolveSettings(input: EmulatorSettingsInput): EmulatorSettings {
  const result = settingsSchema.safeParse(input);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'settings'}: ${message}`,
  );
  throw mediaAssetError('emulator-options-invalid', { problems }, { cause: result.error });
}

/** A setting as a command line and an environment name it. */
export interface EmulatorSwitch {
  readonly setting: keyof EmulatorSettings;
  /** Without the dashes: `token-lifetime`. */
  readonly flag: string;
  /** `MEDIA_ASSET_EMULATOR_TOKEN_LIFETIME`. */
  readonly variable: string;
  /** A boolean flag stands alone, the others take a value. */
  readonly type: 'boolean' | 'number' | 'string';
  readonly choices: readonly string[] | undefined;
  readonly default: string | number | boolean;
  readonly description: string;
}

/** Every setting as a switch; a new setting needs no change in any command line. */
export const emulatorSwitches: readonly EmulatorSwitch[] = settingNames.map((setting) => {
  const field = settingsSchema.shape[setting];
  const inner = field.unwrap();
  const fallback = field.parse(undefined);
  return {
    setting,
    flag: setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    variable: `MEDIA_ASSET_EMULATOR_${setting.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
    type: typeof fallback as EmulatorSwitch['type'],
    choices: inner instanceof z.ZodEnum ? inner.options.map(String) : undefined,
    default: fallback,
    description: field.description ?? '',
  };
});

/**
 * Settings from the text of flags and variables; a flag wins over its variable, and an empty
 * variable counts as unset.
 *
 * @param flags Values by setting name, as text (or boolean for a flag that stands alone).
 * @throws MediaAssetError `emulator-options-invalid`.
 */
export function readSettings(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): EmulatorSettings {
  const given = emulatorSwitches.flatMap(({ setting, variable, type }) => {
    const value = flags[setting] ?? (environment[variable] || undefined);
    return value === undefined ? [] : [[setting, fromText(value, type)] as const];
  });
  return resolveSettings(Object.fromEntries(given) as EmulatorSettingsInput);
}

/** Text as the type that a setting has; text that is none stays, for the schema to refuse. */
function fromText(value: unknown, type: EmulatorSwitch['type']): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'number' && /^\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(true|1)$/.test(value)) return true;
  if (type === 'boolean' && /^(false|0)$/.test(value)) return false;
  return value;
}
