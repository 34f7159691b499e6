import { isBlank, isSameName } from './page-bytes.ts';
import type { Tag } from './read-tag.ts';
import {
  ALONE,
  BLANK,
  BLOCK,
  FOREIGN,
  FOREIGN_TEXT,
  HEAD,
  HEADING,
  INERT,
  mayStandIn,
  NOT_FOREIGN,
  PLACED,
  RAW,
  tagFlags,
  tagNames,
  tagNumberOf,
  UNUSUAL,
  VOID,
} from './tag-rules.ts';

const greaterThan = 0x3e;

/** Deeper pages go to the parser. */
const deepest = 250;

/** The parts of a page, in order. */
const stages = { start: 0, html: 1, head: 2, impliedHead: 3, afterHead: 4, body: 5, end: 6 };

const html = tagNumberOf('html');
const head = tagNumberOf('head');
const body = tagNumberOf('body');
const p = tagNumberOf('p');
const div = tagNumberOf('div');
const dd = tagNumberOf('dd');
const dt = tagNumberOf('dt');
const svg = tagNumberOf('svg');
const title = tagNumberOf('title');
const noscript = tagNumberOf('noscript');
/** Elements that can't contain another one with their name. `p` can't contain blocks either. */
const alone = [...tagFlags.keys()].filter((number) => (tagFlags[number] as number) & ALONE);
const noscriptInHead = tagNumberOf('#noscript-in-head');

/**
 * The open elements at a position of a plain page. Call `text`, `start` and `end` for what comes next.
 * They return `false`, or -1, if the page isn't plain: a parser's tree would differ from its tags.
 */
export class OpenElements {
  #bytes: Uint8Array = new Uint8Array();
  readonly #numbers = new Uint8Array(deepest + 1);
  readonly #from = new Int32Array(deepest + 1);
  readonly #to = new Int32Array(deepest + 1);
  /** Open elements by tag number. */
  readonly #counts = new Uint8Array(tagNames.length);
  #depth = 0;
  #stage = stages.start;
  #inert = 0;
  /** Depths of the outermost ones. 0 if there's none. */
  #foreignDepth = 0;

  begin(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#counts.fill(0);
    this.#depth = 0;
    this.#stage = stages.start;
    this.#inert = 0;
    this.#foreignDepth = 0;
  }

  get live(): boolean {
    return this.#inert === 0;
  }

  get inSvg(): boolean {
    return this.#counts[svg] !== 0;
  }

  get depth(): number {
    return this.#depth;
  }

  /** Whether the open elements don't affect the content of the last one. */
  get isFree(): boolean {
    if (this.#foreignDepth !== 0) return false;
    for (const number of alone) if (this.#counts[number] !== 0) return false;
    return true;
  }

  get inForeign(): boolean {
    return this.#foreignDepth !== 0;
  }

  /** Whether text other than white space matters here. */
  get minds(): boolean {
    return this.#betweenParts() || (this.#topFlags() & BLANK) !== 0;
  }

  /** Call for text other than white space if `minds` is true. */
  text(): boolean {
    if (!this.#betweenParts() || this.#stage === stages.end) return false;
    this.#stage = stages.body;
    return true;
  }

  start(number: number, tag: Tag): boolean {
    if (this.#foreignDepth !== 0) return this.#startForeign(number, tag);
    const flags = tagFlags[number] as number;
    const top = this.#numbers[this.#depth] as number;
    const outer = this.#stage < stages.body && (this.#betweenParts() || top === head);
    if (flags & UNUSUAL || (outer ? !this.#startPart(number, flags) : isPart(number))) return false;
    if (this.#stage === stages.end) return false;
    if ((flags | this.#topFlags()) & PLACED && !this.#fits(number)) return false;
    if (flags & BLOCK && this.#counts[p] !== 0) return false;
    if (flags & HEADING && this.#topFlags() & HEADING) return false;
    if (flags & ALONE && this.#counts[number] !== 0) return false;
    if (flags & (VOID | RAW)) return true;
    if (flags & FOREIGN) {
      if (tag.selfClosing) return true;
      this.#foreignDepth = this.#depth + 1;
    }
    return this.#push(outer && number === noscript ? this.#noscript() : number, tag);
  }

  /** @returns the position after the `>`, or -1 if the page isn't plain */
  end(nameFrom: number): number {
    const from = this.#from[this.#depth] as number;
    const to = this.#to[this.#depth] as number;
    let at = nameFrom + to - from;
    if (this.#depth === 0 || !isSameName(this.#bytes, from, to, nameFrom, at)) return -1;
    while (isBlank(this.#bytes[at] as number)) at += 1;
    if (this.#bytes[at] !== greaterThan) return -1;
    const number = this.#numbers[this.#depth] as number;
    if (number === head) this.#stage = stages.afterHead;
    if (number === body || number === html) this.#stage = stages.end;
    if ((tagFlags[number] as number) & INERT) this.#inert -= 1;
    if (this.#depth === this.#foreignDepth) this.#foreignDepth = 0;
    this.#counts[number] = (this.#counts[number] as number) - 1;
    this.#depth -= 1;
    return at + 1;
  }

  /** Whether the page can end here: only `html` and `body` are open. */
  get mayEnd(): boolean {
    const top = this.#numbers[this.#depth] as number;
    return this.#depth === 0 || top === html || top === body;
  }

  #topFlags(): number {
    return tagFlags[this.#numbers[this.#depth] as number] as number;
  }

  #betweenParts(): boolean {
    if (this.#stage === stages.body) return false;
    return this.#depth === 0 || this.#numbers[this.#depth] === html;
  }

  /** Enters the part of the page that an element begins or belongs to. */
  #startPart(number: number, flags: number): boolean {
    if (number === html) {
      if (this.#stage !== stages.start) return false;
      this.#stage = stages.html;
    } else if (number === head) {
      if (this.#stage > stages.html) return false;
      this.#stage = stages.head;
    } else if (this.#stage === stages.head) {
      // The rules of `head` decide.
      return number !== body;
    } else if (flags & HEAD && !(number === noscript && this.#stage === stages.afterHead)) {
      if (this.#stage < stages.impliedHead) this.#stage = stages.impliedHead;
    } else {
      this.#stage = stages.body;
    }
    return true;
  }

  #startForeign(number: number, tag: Tag): boolean {
    const flags = tagFlags[number] as number;
    if (flags & NOT_FOREIGN || this.#topFlags() & FOREIGN_TEXT) return false;
    // In MathML, these are other elements than in SVG.
    if ((number === svg || number === title) && this.#counts[svg] === 0) return false;
    return tag.selfClosing || this.#push(number, tag);
  }

  #fits(number: number): boolean {
    const top = this.#numbers[this.#depth] as number;
    const isTerm = number === dd || number === dt;
    const above = this.#depth > 0 && isTerm && top === div;
    return mayStandIn(number, above ? (this.#numbers[this.#depth - 1] as number) : top);
  }

  /** In the head, `noscript` allows fewer elements. */
  #noscript(): number {
    return this.#stage === stages.head || this.#stage === stages.impliedHead
      ? noscriptInHead
      : noscript;
  }

  #push(number: number, { nameFrom, nameTo }: Tag): boolean {
    if (this.#depth === deepest) return false;
    this.#depth += 1;
    this.#numbers[this.#depth] = number;
    this.#from[this.#depth] = nameFrom;
    this.#to[this.#depth] = nameTo;
    this.#counts[number] = (this.#counts[number] as number) + 1;
    if ((tagFlags[number] as number) & INERT) this.#inert += 1;
    return true;
  }
}

function isPart(number: number): boolean {
  return number === html || number === head || number === body;
}
