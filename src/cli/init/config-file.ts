import { importLine } from '../../authoring/source/edit/write-value.ts';
import { applyEdits, type Edit, type Range } from '../../authoring/source/source-text.ts';
import { type Node, parseAstro, statementsOf } from '../../authoring/source/tag-places.ts';
import { ignoreOurs } from '../../errors/errors.ts';

/** Options of the integration: their code by name, in order, with quotes and indents as here. */
export type OptionCode = Readonly<Record<string, string>>;

/** An option without a rule, so that no one takes it for one. */
export const noRights = `{
  // No field about consent or a license was found, so all assets are allowed. If there's one:
  // fields: ['…'], read: (fields) => ({ state: …, until: … }),
}`;

/** Only for a site that begins: others would get new files. */
const first: OptionCode = {
  images: `{
  // AVIF takes about 40 % fewer bytes than WebP, and seven times as long to make, once for each image.
  formats: ['avif', 'webp'],
}`,
};

const own = 'astro-media-asset';
/** The name that `astro add` gives the integration. */
const usual = 'mediaAsset';

/** The code that a config without the integration needs, for people to paste. */
export function configSnippet(options: OptionCode): string {
  const call = `${usual}(${objectOf({ ...first, ...options })})`;
  return `import ${usual} from '${own}';\n\nintegrations: [${call}]`;
}

/**
 * Adds the integration and missing options to an Astro config, in its style. Everything else stays
 * as it is. `undefined` if it isn't an object with a list of integrations.
 */
export async function changeConfig(
  code: string,
  { site, options }: { site: string | undefined; options: OptionCode },
): Promise<string | undefined> {
  // The compiler reads any module as the frontmatter of a component.
  const fence = '---\n';
  const text = `${fence}${code}\n---\n`;
  const tree = await parseAstro({ file: '', text }).catch(ignoreOurs);
  const statements = tree ? statementsOf(tree) : [];
  const config = configIn(statements);
  if (!config) return undefined;
  const style = styleOf(code);
  const edits: Edit[] = [];
  const inConfig: string[] = [];
  if (site !== undefined && !config.find('site')) inConfig.push(`site: ${style.quoted(site)}`);
  const imports = statements.filter(({ type }) => type === 'ImportDeclaration');
  const ours = imports.find(({ source }) => (source as Node).value === own);
  const name = ours && (ours.specifiers as readonly Node[]).find(isDefault);
  if (ours && !name) return undefined;
  const list = config.find('integrations');
  if (list && list.type !== 'ArrayExpression') return undefined;
  const listed = ((list?.elements ?? []) as (Node | null)[]).filter((one) => one !== null);
  const local = name && (name.local as Node).name;
  const call = listed.find(({ callee }) => local && (callee as Node | undefined)?.name === local);
  if (ours && !call) return undefined;
  if (call) {
    const [given] = call.arguments as readonly Node[];
    const object = given && objectIn(given);
    const isSet = (name: string) => object?.find(name) !== undefined;
    const wanted = given ? options : { ...first, ...options };
    const missing = Object.entries(wanted).filter(([name]) => !isSet(name));
    if (given && !object && missing.length > 0) return undefined;
    for (const [name, value] of Object.entries(options)) {
      const range = object?.find(name);
      // An earlier run has found no field for it.
      const isEmpty = range && /^\{(?:\s|\/\/.*)*\}$/.test(text.slice(range.start, range.end));
      if (isEmpty && value !== noRights)
        edits.push({ start: range.start, end: range.end, text: style.code(value, lineOf(range)) });
    }
    const lines = missing.map(([name, value]) => `${name}: ${value}`);
    if (object) edits.push(...add(object, lines));
    else if (lines.length > 0) {
      const at = text.lastIndexOf(')', call.end);
      edits.push(insert(at, style.code(objectOf(Object.fromEntries(missing)), lineOf(call))));
    }
  } else {
    const added = `${usual}(${objectOf({ ...first, ...options })})`;
    if (list) edits.push(...add({ range: list, items: listed }, [added]));
    else inConfig.push(`integrations: [${added}]`);
    const top = /^#!.*\n|^\/\/ @ts-check.*\n/.exec(code)?.[0].length ?? 0;
    const at = imports[0]?.start ?? fence.length + top;
    edits.push(insert(at, importLine(code, usual, own)));
  }
  edits.push(...add(config, inConfig));
  return applyEdits(text, edits).slice(fence.length, -'\n---\n'.length);

  function lineOf({ start }: Range): string {
    const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
    return /^[ \t]*/.exec(line)?.[0] ?? '';
  }

  /** Adds code to the start of an object or a list: on lines of its own if what's there is. */
  function add(
    { range, items: [first] }: { range: Range; items: readonly Range[] },
    added: readonly string[],
  ): Edit[] {
    if (added.length === 0) return [];
    const gap = text.slice(range.start, first?.start ?? range.end);
    if (!gap.includes('\n') && (first || text[range.start] === '[')) {
      const listed = added.map((one) => style.code(one, lineOf(range))).join(', ');
      return [insert(first?.start ?? range.start + 1, first ? `${listed}, ` : listed)];
    }
    const indent = first ? lineOf(first) : lineOf(range) + style.unit;
    const lines = added.map((one) => `${style.newline}${indent}${style.code(one, indent)},`);
    // An empty object is opened, so its end needs a line.
    const end = gap.includes('\n') ? '' : style.newline + lineOf(range);
    return [insert(range.start + 1, lines.join('') + end)];
  }
}

/** The object that a config exports, also through `defineConfig()`. */
function configIn(statements: readonly Node[]) {
  const exported = statements.find(({ type }) => type === 'ExportDefaultDeclaration');
  const declaration = exported && plain(exported.declaration as Node);
  if (declaration?.type !== 'CallExpression') return declaration && objectIn(declaration);
  const [given, ...others] = declaration.arguments as readonly Node[];
  return given && others.length === 0 ? objectIn(given) : undefined;
}

function objectIn(node: Node) {
  const range = plain(node);
  if (range.type !== 'ObjectExpression') return undefined;
  const items = range.properties as readonly Node[];
  const properties = items.map(({ type, key, value, computed }) => {
    const { name, value: literal = name } = (key ?? {}) as Partial<Node>;
    const isNamed = type === 'Property' && computed !== true;
    return { key: isNamed ? String(literal) : undefined, value: value as Node };
  });
  // What is spread into an object can set any option.
  if (properties.some(({ key }) => key === undefined)) return undefined;
  const find = (name: string) => properties.find(({ key }) => key === name)?.value;
  return { range, items, find };
}

/** Without TypeScript's `as` and `satisfies`. */
function plain(node: Node): Node {
  return node.type.startsWith('TS') ? plain(node.expression as Node) : node;
}

const isDefault = ({ type, imported }: Node) =>
  type === 'ImportDefaultSpecifier' || (imported as Node | undefined)?.name === 'default';

function styleOf(code: string) {
  const quote = /\bfrom (["'])/.exec(code)?.[1] ?? "'";
  const newline = code.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^(?:\t| {2,})(?=\S)/m.exec(code)?.[0] ?? '  ';
  const inQuotes = (text: string) => (text.includes('"') ? text : text.replaceAll("'", quote));
  return {
    newline,
    unit,
    quoted: (value: string) => quote + value + quote,
    /** Code of ours, whose further lines are indented from `indent`. */
    code(text: string, indent: string): string {
      const [head = '', ...lines] = text
        .split('\n')
        .map((line) => (/^\s*\/\//.test(line) ? line : inQuotes(line)));
      const shifted = lines.map((line) => {
        const depth = (/^ */.exec(line)?.[0].length ?? 0) / 2;
        return indent + unit.repeat(depth) + line.trimStart();
      });
      return [head, ...shifted].join(newline);
    },
  };
}

function objectOf(options: OptionCode): string {
  const lines = Object.entries(options).map(
    ([name, value]) => `  ${name}: ${value.replaceAll('\n', '\n  ')},`,
  );
  return lines.length > 0 ? `{\n${lines.join('\n')}\n}` : '';
}

function insert(at: number, text: string): Edit {
  return { start: at, end: at, text };
}
