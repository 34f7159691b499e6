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
   * Measures everything once: the figures by name, each in its unit. Those with fewer rounds are
   * wanted in the first ones only.
   *
   * @param number of the round, from 1
   * @throws where an answer is wrong
   */
  round(number: number): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'MB' | 'requests' | 'connections';
  /** In how many rounds it is measured at most: for what takes long. None: in all of them. */
  readonly rounds?: number;
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

/** Whether something is measured in a round. */
export function isMeasured({ rounds }: Pick<Figure, 'rounds'>, round: number): boolean {
  return rounds === undefined || round <= rounds;
}

/** So many at this scale, one at least. */
export function scaled(full: number, { scale }: Size): number {
  return Math.max(1, Math.round(full * scale));
}
