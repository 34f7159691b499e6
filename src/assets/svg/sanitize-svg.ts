import type { Config, DOMPurify, WindowLike } from 'dompurify';
import type { DOMWindow, XmlDocument, XmlElement } from 'jsdom';
import { mediaAssetError } from '../../errors/errors.ts';
import { parseSvg, type SvgTag, svgNamespace } from '../formats/parse-svg.ts';
import { cleanCss, isOwnUrl } from './clean-css.ts';

export interface SvgSanitizer {
  /** Includes the version, because another one can return different bytes. */
  readonly name: string;
  /**
   * Removes everything from an SVG that can run or fetch something: scripts, event handlers, foreign
   * content, URLs outside the file. Returns XML in UTF-8.
   *
   * @throws an `Error` that says what is wrong with the SVG
   */
  sanitize(bytes: Uint8Array): Buffer;
}

/** Increased when the rules in this file change. */
const rulesVersion = 1;

const settings = {
  USE_PROFILES: { svg: true, svgFilters: true },
  // `cleanElement` makes their URLs safe.
  ADD_TAGS: ['use', 'animate', 'set'],
  ADD_ATTR: ['from', 'to', 'calcmode', 'fr', 'role'],
  FORBID_TAGS: ['metadata'],
  ALLOW_DATA_ATTR: false,
  // The content of a removed element has no meaning elsewhere.
  KEEP_CONTENT: false,
  // The SVG is a separate file, so it can't shadow names of a page.
  SANITIZE_DOM: false,
  IN_PLACE: true,
} satisfies Config;

/** The most elements and attributes together. Each one is an object in memory. */
const mostParts = 250_000;
/** The most drawn elements. A few that use each other can draw billions. */
const mostDrawn = 500_000;

let loading: Promise<SvgSanitizer> | undefined;

/** @throws `package-missing` if its packages aren't installed */
export function loadSanitizer(): Promise<SvgSanitizer> {
  loading ??= load();
  return loading;
}

async function load(): Promise<SvgSanitizer> {
  let packages: [typeof import('dompurify'), typeof import('jsdom')];
  try {
    packages = await Promise.all([import('dompurify'), import('jsdom')]);
  } catch (cause) {
    const missing = { what: "`svg: 'sanitize'`", install: '--save-dev dompurify jsdom' };
    throw mediaAssetError('package-missing', missing, { cause });
  }
  const [{ default: createPurifier }, { JSDOM }] = packages;
  const { window } = new JSDOM('');
  const purifier = createPurifier(window as unknown as WindowLike);
  if (!purifier.isSupported) throw new Error("DOMPurify doesn't work with this jsdom.");
  return {
    name: `dompurify ${purifier.version}, ${rulesVersion}`,
    sanitize: (bytes) => sanitize(bytes, window, purifier),
  };
}

function sanitize(bytes: Uint8Array, window: DOMWindow, purifier: DOMPurify): Buffer {
  const parts = Buffer.from(bytes)
    .toString('latin1')
    .match(/<[^/!?]|=\s*["']/g);
  if (parts && parts.length > mostParts) throw new Error('it has too many elements');
  const root = buildTree(bytes, new window.DOMParser().parseFromString('<svg/>', 'image/svg+xml'));
  purifier.sanitize(root, settings);
  for (const element of [root, ...root.querySelectorAll('*')]) cleanElement(element);
  countDrawn(root, mostDrawn);
  return Buffer.from(new window.XMLSerializer().serializeToString(root));
}

/** Keeps SVG elements, without prefixes, and text. Nothing else is drawn. */
function buildTree(bytes: Uint8Array, document: XmlDocument): XmlElement {
  const open: (XmlElement | undefined)[] = [];
  let root: XmlElement | undefined;
  parseSvg(bytes, {
    onOpen(tag) {
      const parent = open.at(-1);
      const isDrawn = tag.namespace === svgNamespace && (parent || !root);
      const element = isDrawn ? toElement(tag, document) : undefined;
      if (element) parent?.append(element);
      root ??= element;
      open.push(element);
    },
    onText(text) {
      open.at(-1)?.append(text);
    },
    onClose() {
      open.pop();
    },
  });
  if (!root) throw new Error("it's empty");
  return root;
}

function toElement({ name, attributes }: SvgTag, document: XmlDocument): XmlElement {
  const element = document.createElementNS(svgNamespace, name);
  const own = attributes.filter(({ namespace }) => namespace === '');
  for (const { name, value } of own) element.setAttribute(name, value);
  for (const { name, namespace, value } of attributes) {
    if (namespace === xml && name === 'space') element.setAttribute('xml:space', value);
    if (namespace === xlink && name === 'href' && !own.some((one) => one.name === 'href')) {
      element.setAttribute('href', value);
    }
  }
  return element;
}

const xlink = 'http://www.w3.org/1999/xlink';
const xml = 'http://www.w3.org/XML/1998/namespace';

/** Cleans URLs, which DOMPurify leaves alone because their safety depends on where the file is shown. */
function cleanElement(element: XmlElement): void {
  if (element.localName === 'style') {
    const css = cleanCss(element.textContent ?? '');
    // In an HTML page, such text would end the style element.
    if (/<[/!a-z]/i.test(css)) element.remove();
    else element.textContent = css;
  }
  for (const attribute of [...element.attributes]) {
    if (attribute.name === 'style') attribute.value = cleanCss(attribute.value);
    else if (!isHarmless(element, attribute)) element.removeAttributeNode(attribute);
  }
}

function isHarmless(
  { localName }: XmlElement,
  { name, value }: { readonly name: string; readonly value: string },
): boolean {
  if (name === 'attributeName') {
    return /^[a-z-]+$/i.test(value) && !/^(href|style|on.*)$/i.test(value);
  }
  if (name !== 'href') return !value.includes('(') || cleanCss(value) === value;
  if (value.startsWith('#')) return true;
  if (localName === 'a') return /^(https?:\/\/|mailto:)/i.test(value);
  return (localName === 'image' || localName === 'feImage') && isOwnUrl(value);
}

/** The deepest nesting of elements and the elements that they use. */
const mostLevels = 2000;

/**
 * Counts the elements that a browser draws. Each `use` counts as all elements that it draws.
 *
 * @param most the limit
 * @throws an `Error` if there are more, if they are nested too deeply, or if one uses itself, which
 * browsers don't draw
 */
function countDrawn(root: XmlElement, most: number): number {
  const byId = new Map<string, XmlElement>();
  for (const element of root.querySelectorAll('[id]')) {
    const id = element.getAttribute('id') ?? '';
    if (!byId.has(id)) byId.set(id, element);
  }
  const counts = new Map<XmlElement, number | 'counting'>();

  function count(element: XmlElement, level: number): number {
    const known = counts.get(element);
    if (known === 'counting') throw new Error('one of its elements references itself');
    if (known !== undefined) return known;
    if (level > mostLevels) throw new Error('its elements reference each other too deeply');
    counts.set(element, 'counting');
    let total = 1;
    for (const child of element.children) total += count(child, level + 1);
    const used = element.localName === 'use' ? byId.get(fragmentOf(element)) : undefined;
    if (used) total += count(used, level + 1);
    if (total > most) throw new Error('it draws too many elements');
    counts.set(element, total);
    return total;
  }

  return count(root, 0);
}

function fragmentOf(element: XmlElement): string {
  const fragment = (element.getAttribute('href') ?? '').slice(1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    // Browsers use invalid percent-encoding unchanged.
    return fragment;
  }
}
