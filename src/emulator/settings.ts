import { z } from 'zod';
import { mediaAssetError } from '../errors/errors.ts';
import { settingsSchema } from './settings-schema.ts';

/** All settings of the emulator. */
export type EmulatorSettings = z.output<typeof settingsSchema>;

/** Settings from a caller. Missing ones get their defaults. */
export type EmulatorSettingsInput = z.input<typeof settingsSchema>;

const settingNames = Object.keys(settingsSchema.shape) as (keyof EmulatorSettings)[];

const fixedNames = [
  'clientId',
  'clientSecret',
  'username',
  'password',
  'refreshToken',
  'admin',
] as const satisfies (keyof EmulatorSettings)[];

/** Settings that can change at any time: all except `admin` and the sign-in settings. */
export type EmulatorChanges = Partial<Omit<EmulatorSettings, (typeof fixedNames)[number]>>;

/** Validates settings and adds defaults. Throws `emulator-options-invalid` with all problems. */
export function resolveSettings(input: EmulatorSettingsInput): EmulatorSettings {
  const result = settingsSchema.safeParse(input);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => problemOf(issue, input));
  throw mediaAssetError('emulator-options-invalid', { problems }, { cause: result.error });
}

function problemOf(issue: z.core.$ZodIssue, input: EmulatorSettingsInput): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: unknown setting`;
  const [setting] = issue.path;
  const known = settingNames.find((name) => name === setting);
  if (known === undefined) return `settings: ${issue.message}`;
  const isHidden = fixedNames.some((name) => name === known);
  const received = isHidden ? '' : `, received ${JSON.stringify(input[known])}`;
  return `${known} (--${flagOf(known)}): ${expectationOf(issue)}${received}`;
}

function expectationOf(issue: z.core.$ZodIssue): string {
  const type = issue.code === 'invalid_type' && expectedTypes[issue.expected];
  if (type) return `expected ${type}`;
  if (issue.code === 'invalid_value') return `expected ${issue.values.join(' or ')}`;
  if (issue.code === 'too_small' && issue.origin === 'number') {
    return issue.inclusive
      ? `expected ${issue.minimum} or more`
      : `expected more than ${issue.minimum}`;
  }
  if (issue.code === 'too_big' && issue.origin === 'number') {
    return `expected ${issue.maximum} or less`;
  }
  return issue.message;
}

const expectedTypes: Readonly<Record<string, string | undefined>> = {
  number: 'a whole number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** Without dashes: `token-lifetime`. */
function flagOf(setting: keyof EmulatorSettings): string {
  return setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Merges changes into settings. @throws `emulator-options-invalid` with all problems */
export function changeSettings(
  settings: EmulatorSettings,
  changes: EmulatorChanges,
): EmulatorSettings {
  const problems = fixedNames
    .filter((name) => Object.hasOwn(changes, name))
    .map((name) => `${name}: can only be set at start`);
  if (problems.length > 0) throw mediaAssetError('emulator-options-invalid', { problems });
  return resolveSettings({ ...settings, ...changes });
}

/** The settings that can change while the emulator runs. None of them is secret. */
export function changeableSettings(settings: EmulatorSettings): EmulatorChanges {
  const fixed: readonly string[] = fixedNames;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !fixed.includes(name)));
}

/** A setting as a CLI flag and environment variable. */
export interface EmulatorSwitch {
  readonly setting: keyof EmulatorSettings;
  /** Without dashes: `token-lifetime`. */
  readonly flag: string;
  /** Such as `MEDIA_ASSET_EMULATOR_TOKEN_LIFETIME`. */
  readonly variable: string;
  /** Boolean flags take no value. */
  readonly type: 'boolean' | 'number' | 'string';
  readonly choices: readonly string[] | undefined;
  readonly default: string | number | boolean;
  readonly description: string;
}

/** All settings as CLI flags, so that a new setting needs no change in the CLI. */
export const emulatorSwitches: readonly EmulatorSwitch[] = settingNames.map((setting) => {
  const field = settingsSchema.shape[setting];
  const inner = field.unwrap();
  const fallback = field.parse(undefined);
  return {
    setting,
    flag: flagOf(setting),
    variable: `MEDIA_ASSET_EMULATOR_${setting.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
    type: typeof fallback as EmulatorSwitch['type'],
    choices: choicesOf(inner),
    default: fallback,
    description: field.description ?? '',
  };
});

function choicesOf(field: z.ZodType): string[] | undefined {
  if (field instanceof z.ZodEnum) return field.options.map(String);
  if (field instanceof z.ZodLiteral) return [...field.values].map(String);
  return undefined;
}

/**
 * Reads settings from flags and environment variables. Flags win. Empty variables are ignored.
 *
 * @param flags values by setting name, as text (or `true` for a boolean flag)
 * @throws MediaAssetError `emulator-options-invalid`
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

/** Converts text to the setting's type. Leaves anything else for the schema to refuse. */
function fromText(value: unknown, type: EmulatorSwitch['type']): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(true|1)$/.test(value)) return true;
  if (type === 'boolean' && /^(false|0)$/.test(value)) return false;
  return value;
}
