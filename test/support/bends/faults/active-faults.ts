import { isUpload } from '../../../../src/emulator/calls/upload-calls.ts';
import type { Fault, FaultCall, FaultKind } from './faults.ts';
import { seededRandom } from './seeded-random.ts';

/** A fault and its counts so far. */
export type FaultState = Fault & {
  readonly met: number;
  readonly hit: number;
};

export type ActiveFaults = ReturnType<typeof createActiveFaults>;

type Request = { method: string; path: string; body: Uint8Array };

/** The active faults. Each has its own random numbers, so that they don't influence each other. */
export function createActiveFaults() {
  let active: { fault: Fault; random: () => number; met: number; hit: number }[] = [];

  const hits = (one: (typeof active)[number]): boolean => {
    const { rate = 1, skip = 0, times } = one.fault;
    one.met += 1;
    if (one.met <= skip || one.hit === times || one.random() >= rate) return false;
    one.hit += 1;
    return true;
  };

  return {
    /** Replaces all faults and restarts their counts and random numbers. */
    set(faults: readonly Fault[]): void {
      active = faults.map((fault, index) => ({
        fault,
        random: seededRandom(1, index),
        met: 0,
        hit: 0,
      }));
    },
    list: (): FaultState[] => active.map(({ fault, met, hit }) => ({ ...fault, met, hit })),
    /**
     * Finds the faults for a request: the first fault in the list that hits it, and the sum of the
     * latencies (in ms) listed before that fault. Later faults aren't tried.
     */
    meet(request: Request): {
      fault: Fault<Exclude<FaultKind, 'latency'>> | undefined;
      latency: number;
    } {
      const calls = callsOf(request);
      let latency = 0;
      for (const one of active) {
        const { fault } = one;
        if (!fits(fault, request) || !calls.includes(fault.call) || !hits(one)) continue;
        if (fault.kind !== 'latency') return { fault, latency };
        latency += fault.ms;
      }
      return { fault: undefined, latency };
    },
  };
}

/** A HEAD answer has no body to change. An upload's content ends with its connection. */
function fits({ kind }: Fault, request: { method: string; path: string }): boolean {
  if (kind === 'truncate' || kind === 'endless') return request.method !== 'HEAD';
  return kind !== 'late' || !isUpload(request);
}

/**
 * The names of a request's call in faults: its own name and `any`. Empty for paths outside the
 * service's interface, such as the page at `/`.
 *
 * @param path without the query
 */
function callsOf({ method, path, body }: Request): FaultCall[] {
  if (!/^\/(1|signed)\/|^\/authorize$/.test(path)) return [];
  const named = namedCall(method === 'HEAD' ? 'GET' : method, path, body);
  return named === undefined ? ['any'] : [named, 'any'];
}

function namedCall(method: string, path: string, body: Uint8Array): FaultCall | undefined {
  if (method === 'POST' && path === '/1/files/multiple/usages')
    return isRemoval(body) ? 'usage-removal' : 'usage-report';
  if (isUpload({ method, path })) return 'upload';
  if (method !== 'GET') return undefined;
  return reads.find(([pattern]) => pattern.test(path))?.[1];
}

const reads: readonly [RegExp, FaultCall][] = [
  [/^\/signed\//, 'signed-download'],
  [/^\/1\/foldertree$/, 'folder-tree'],
  [/^\/1\/folder\/[^/]+\/files$/, 'folder-files'],
  [/^\/1\/file\/[^/]+\/download\/0$/, 'original'],
  [/^\/1\/file\/[^/]+\/download\/-1$/, 'custom-format'],
  [/^\/1\/file\/[^/]+\/usage$/, 'usage-list'],
];

/** Whether a usage request is a removal. An unreadable body counts as a report and is refused. */
function isRemoval(body: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof value !== 'object' || value === null || !('removed' in value)) return false;
    return value.removed === 'true' || value.removed === true;
  } catch {
    return false;
  }
}
