/** One subject of the bench: what it measures, and how. */
export interface Bench {
  readonly name: string;
  /** What is measured, as a sentence. */
  readonly about: string;
  /** Every figure that a round gives, peers and limits included. */
  readonly figures: readonly Figure[];
  /** Makes the inputs. */
  open(size: Size): Promise<OpenBench>;
}

export interface OpenBench {
  /**
   * Measures everything once: the figures by name, each in its unit.
   *
   * @throws where an answer is wrong
   */
  round(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'MB' | 'requests' | 'connections';
  /** The figures of the same round that it is set against. None: it is a peer or a limit itself. */
  readonly against?: readonly Comparison[];
}

export interface Comparison {
  /** Name of another figure. */
  readonly peer: string;
  /** The ratio to the peer that is to be reached, at most. None: it is only shown. */
  readonly goal?: number;
}

/** How large the inputs are, and from what they are made. */
export interface Size {
  /** 1 for the full size. */
  readonly scale: number;
  readonly seed: number;
}

/** So many at this scale, one at least. */
export function scaled(full: number, { scale }: Size): number {
  return Math.max(1, Math.round(full * scale));
}
