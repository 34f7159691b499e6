import { SourceMap, type SourceMapPayload } from 'node:module';
import { type Place, placeAt } from '../../errors/place.ts';
import { callSiteKey } from '../runtime/ask.ts';

const component = /\.astro$/;
const ours = 'astro-media-asset/';

interface TransformContext {
  parse(code: string): object;
  getCombinedSourcemap(): object;
}

/**
 * Gives each call of our components in an `.astro` file its call site, as a private prop.
 *
 * It reads the code that Astro's compiler made, of which all majors of Astro have the same form:
 * `$$renderComponent($$result, 'Photo', Photo, { … })`. The source map tells where the call comes
 * from. A call whose place is unknown stays as it is.
 */
export function callSitePlugin() {
  let root = '';
  return {
    name: 'astro-media-asset/call-sites',
    configResolved(config: { readonly root: string }) {
      root = `${config.root}/`;
    },
    transform: {
      // Vite 6 has no filters before 6.3.
      filter: { id: component, code: ours },
      handler(this: TransformContext, code: string, id: string) {
        if (!component.test(id) || !code.includes(ours)) return undefined;
        const file = id.startsWith(root) ? id.slice(root.length) : id;
        try {
          const calls = findCalls(this.parse(code));
          if (calls.length === 0) return undefined;
          // The source map of before stays: the code grows within its lines.
          const map = new SourceMap(this.getCombinedSourcemap() as SourceMapPayload);
          return { code: insertCallSites(code, { calls, file, map }), map: null };
        } catch {
          // Messages then name the page alone, which is no reason to fail a build.
          return undefined;
        }
      },
    },
  };
}

interface CodeNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

interface TagCall {
  /** The component as the tag names it: `Photo`, `media.MediaAsset`. */
  readonly name: string;
  readonly props: CodeNode;
  /** Offsets in the code which a source map can have: of the call, and of its props. */
  readonly offsets: readonly number[];
}

function findCalls(program: object): TagCall[] {
  const nodes = [...nodesOf(program)];
  const imported = new Set(
    nodes
      .filter(({ type, source }) => {
        return type === 'ImportDeclaration' && /^astro-media-asset\//.test(textOf(source));
      })
      .flatMap(({ specifiers }) => specifiers as { local: { name: string } }[])
      .map(({ local }) => local.name),
  );
  return nodes.flatMap((node) => {
    if (node.type !== 'CallExpression') return [];
    const [, name, component, props] = node.arguments as (CodeNode | undefined)[];
    if (!component || props?.type !== 'ObjectExpression') return [];
    const { name: local } = (component.object ?? component) as { name?: string };
    if (local === undefined || !imported.has(local)) return [];
    const given = props.properties as CodeNode[];
    const ofProps = given.map((prop) => ((prop.key ?? prop.argument) as CodeNode).start);
    return [{ name: textOf(name), props, offsets: [node.start, ...ofProps] }];
  });
}

function* nodesOf(value: unknown): Generator<CodeNode> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) yield value as CodeNode;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

function textOf(literal: unknown): string {
  return String(Reflect.get(Object(literal), 'value'));
}

function insertCallSites(
  code: string,
  { calls, file, map }: { calls: readonly TagCall[]; file: string; map: SourceMap },
): string {
  const source = map.payload.sourcesContent[0] ?? '';
  let inserted = '';
  let end = 0;
  for (const call of calls.toSorted((a, b) => a.props.start - b.props.start)) {
    const start = findTag(call, { code, map, source });
    if (start === undefined) continue;
    const place: Place = placeAt({ file, text: source }, start);
    const prop = `[Symbol.for('${callSiteKey}')]: ${JSON.stringify(place)}, `;
    const at = call.props.start + 1;
    inserted += code.slice(end, at) + prop;
    end = at;
  }
  return inserted + code.slice(end);
}

/** The offset of a call's tag in the source. Astro 7 maps the call, older ones only its props. */
function findTag(
  { name, offsets }: TagCall,
  { code, map, source }: { code: string; map: SourceMap; source: string },
): number | undefined {
  for (const offset of offsets) {
    const place = placeAt({ file: 'code', text: code }, offset);
    // A source map counts from 0.
    const [line, column] = [place.line - 1, place.column - 1];
    const entry = map.findEntry(line, column);
    // Anything else than a segment of this very place can belong to another tag.
    if (!('originalLine' in entry) || entry.generatedLine !== line) continue;
    if (entry.generatedColumn !== column) continue;
    const at = offsetOf(source, entry.originalLine, entry.originalColumn);
    const start = source.lastIndexOf(`<${name}`, at);
    if (start >= 0) return start;
  }
  return undefined;
}

/** The offset of a place that is counted from 0. */
function offsetOf(text: string, line: number, column: number): number {
  return text.split('\n').slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + column;
}
