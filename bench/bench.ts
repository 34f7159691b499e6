/** One subject of the bench. */
export interface Bench {
  readonly name: string;
  /** Says what the bench measures. */
  readonly about: string;
  /** Whether `--quick` measures it. @default true */
  readonly isQuick?: boolean;
  /** Every figure of a round, including peers and limits. */
  readonly figures: readonly Figure[];
  /** Creates the inputs. */
  open(size: Size): Promise<OpenBench>;
}

export interface OpenBench {
  /**
   * Measures everything once, and returns the figures by name, each in its unit.
   *
   * @throws if a result is wrong
   */
  round(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'MB' | 'packages' | 'requests' | 'connections';
  /** Figures of the same round to compare it with. Without any, it's a peer or a limit. */
  readonly against?: readonly Comparison[];
}

export interface Comparison {
  /** The name of another figure. */
  readonly peer: string;
  /** The highest ratio to the peer that reaches the goal. Without a goal, the ratio is only shown. */
  readonly goal?: number;
}

/** The size of the inputs, and their random seed. */
export interface Size {
  /** 1 for the full size. */
  readonly scale: number;
  readonly seed: number;
}

/** The number at this scale, at least one. */
export function scaled(full: number, { scale }: Size): number {
  return Math.max(1, Math.round(full * scale));
}
