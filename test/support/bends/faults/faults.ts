/** Calls that a fault can apply to. `any` is every call of the interface. */
export type FaultCall =
  | 'folder-tree'
  | 'folder-files'
  | 'original'
  | 'custom-format'
  | 'signed-download'
  | 'upload'
  | 'usage-report'
  | 'usage-removal'
  | 'usage-list'
  | 'any';

interface Faults {
  /** The request takes effect at once, and its answer comes `ms` later. */
  latency: { readonly ms: number };
  /** The answer is an error, or with 200 another answer. */
  status: {
    readonly status: number;
    /** @default 'json' */
    readonly body?: 'json' | 'text' | 'html' | 'empty';
    /** The request takes effect anyway. @default false */
    readonly effect?: boolean;
  };
  /** The connection is reset, and nothing is done. */
  'reset-before': object;
  /** The request takes effect, then the connection is reset, and the answer is lost. */
  'reset-after': object;
  /** Too many requests: nothing is done. */
  limit: {
    /** @default 429 */
    readonly status?: 429 | 503;
    /** Seconds for the header `Retry-After`. @default no header */
    readonly retryAfter?: number;
    /** Form of the header. @default 'seconds' */
    readonly form?: 'seconds' | 'date';
  };
  /** The connection is reset at once, and the request takes effect `ms` later. Not for `upload`. */
  late: { readonly ms: number };
  /** The request takes effect; half of the body is sent, then the connection ends. */
  truncate: object;
  /** Nothing is done, and the answer has an endless body. */
  endless: {
    /** How the body starts. @default 'json' */
    readonly body?: 'json' | 'image';
    /** Pause between its pieces of 64 KiB, in ms. @default 0 */
    readonly ms?: number;
  };
}

export type FaultKind = keyof Faults;

/** A fault of the given kinds: what happens to the requests of a call, and how often. */
export type Fault<Kind extends FaultKind = FaultKind> = {
  [K in Kind]: {
    readonly kind: K;
    /** The requests that it applies to. */
    readonly call: FaultCall;
    /** Share of these requests that it hits, from 0 to 1. @default 1 */
    readonly rate?: number;
    /** How often it hits before it stops. @default no limit */
    readonly times?: number;
    /** How many of these requests pass before it begins. @default 0 */
    readonly skip?: number;
  } & Faults[K];
}[Kind];
