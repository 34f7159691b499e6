import { builders, generateCode, parseModule } from 'magicast';
import { getDefaultExportOptions } from 'magicast/helpers';

/** Options of the integration: their code by name, in order. */
export type OptionCode = Readonly<Record<string, string>>;

/** An option without a rule, so that no one takes it for one. */
export const noRights = `{
  // No field about consent or a license was found, so all assets are allowed. If there's one:
  // fields: ['…'], read: (fields) => ({ state: …, until: … }),
}`;

const own = 'astro-media-asset';
/** The name that `astro add` gives the integration. */
const usual = 'mediaAsset';

/** The code that a config without the integration needs, for people to paste. */
export function configSnippet(options: OptionCode): string {
  return `import ${usual} from '${own}';\n\nintegrations: [${callOf(usual, options)}]`;
}

/**
 * Adds the integration to an Astro config, and options to it that it doesn't set. Returns the same code
 * if it has all of them.
 *
 * @returns `undefined` if the config isn't an object with a list of integrations
 */
export function changeConfig(code: string, wanted: Parameters<typeof change>[1]) {
  try {
    return change(code, wanted);
  } catch {
    // The parser and its proxies throw for all code that they don't know.
    return undefined;
  }
}

function change(
  code: string,
  { site, options }: { site: string | undefined; options: OptionCode },
) {
  const parsed = parseModule(code);
  const config = getDefaultExportOptions(parsed);
  // What is spread into a config may have integrations too.
  if (config.$type !== 'object' || hasSpread(config.$ast)) return undefined;
  const isMissing = site !== undefined && config.site === undefined;
  if (isMissing) config.site = site;
  const imported = parsed.imports.$items.find((one) => one.from === own);
  if (imported === undefined) {
    parsed.imports.$append({ from: own, imported: 'default', local: usual });
    config.integrations ??= [];
    config.integrations.push(builders.raw(callOf(usual, options)));
    return generateCode(parsed).code;
  }
  const call = Array.from(config.integrations ?? []).find(
    (one) => isCall(one) && one.$callee === imported.local,
  );
  if (!isCall(call)) return undefined;
  const [given] = call.$args;
  // An empty rule is one that an earlier run has found no field for.
  const isEmpty = (value: unknown) =>
    typeof value === 'object' && /^\{(?:\s|\/\/.*)*\}$/.test(generateCode(value as never).code);
  const isOpen = (value: unknown, code: string) =>
    value === undefined || (code !== noRights && isEmpty(value));
  const fresh = Object.entries(options).filter(([name, code]) => isOpen(given?.[name], code));
  if (fresh.length === 0 && !isMissing) return code;
  if (given === undefined && fresh.length > 0)
    call.$args.push(builders.raw(objectOf(Object.fromEntries(fresh))));
  else for (const [name, value] of fresh) given[name] = builders.raw(value);
  return generateCode(parsed).code;
}

function hasSpread(node: object): boolean {
  const properties = Reflect.get(node, 'properties') as readonly { type: string }[];
  return properties.some(({ type }) => type === 'SpreadElement');
}

interface ConfigCall {
  readonly $callee: string;
  // biome-ignore lint/suspicious/noExplicitAny: a proxy of any code
  readonly $args: any[];
}

function isCall(node: unknown): node is ConfigCall {
  return (
    typeof node === 'object' && node !== null && Reflect.get(node, '$type') === 'function-call'
  );
}

function callOf(name: string, options: OptionCode): string {
  return `${name}(${Object.keys(options).length > 0 ? objectOf(options) : ''})`;
}

function objectOf(options: OptionCode): string {
  const lines = Object.entries(options).map(
    ([name, value]) => `  ${name}: ${value.replaceAll('\n', '\n  ')},`,
  );
  return `{\n${lines.join('\n')}\n}`;
}
