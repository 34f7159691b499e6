import type { MiddlewareHandler } from 'hono';
import { callOf, isUpload } from './call-of.ts';
import {
  type Call,
  type CallEnvironment,
  type EmulatorState,
  hadEffect,
} from './emulator-state.ts';
import { endlessAnswer, limitAnswer, redirectAnswer, statusAnswer } from './fault-answers.ts';
import { holdContent } from './hold-content.ts';
import { replaceAnswer, resetConnection } from './send-answer.ts';

/**
 * Bends a request by the fault that it meets. Where the connection is to break after the effect,
 * that is left to the log, which writes it down first.
 *
 * @param clock Milliseconds since 1970.
 */
export function injectFaults(
  state: EmulatorState,
  clock: () => number,
): MiddlewareHandler<CallEnvironment> {
  const { faults, waits, tokens, otherHost } = state;
  return async (c, next) => {
    const { method, path } = c.req;
    const { fault, latency } = faults.meet({ method, path, body: c.get('body') });
    c.set('fault', fault?.kind ?? (latency > 0 ? 'latency' : undefined));
    switch (fault?.kind) {
      case undefined:
      case 'reset-after':
      case 'truncate':
        await next();
        break;
      case 'reset-before':
        c.set('effect', false);
        break;
      case 'late':
        await beLate(c, { state, ms: fault.ms, next });
        break;
      case 'status':
        if (fault.effect) await next();
        c.set('effect', fault.effect && hadEffect(c));
        await replaceAnswer(c, statusAnswer(fault));
        break;
      case 'limit':
        c.set('effect', false);
        await replaceAnswer(c, limitAnswer(fault, clock()));
        break;
      case 'endless':
        c.set('effect', false);
        await replaceAnswer(c, endlessAnswer(fault, { waits, cut: () => resetConnection(c) }));
        break;
      case 'redirect':
        c.set('effect', false);
        await replaceAnswer(c, redirectAnswer(fault, { url: c.req.url, otherHost: otherHost() }));
        break;
      case 'token-loss':
        tokens.clear();
        await next();
        if (callOf({ method, path, body: new Uint8Array() }).includes('token')) tokens.clear();
        break;
    }
    if (latency > 0) await waits.pause(latency);
  };
}

/** Drops the connection once the request has come, and carries the request out later. */
async function beLate(
  c: Call,
  {
    state: { data, settings, waits, log },
    ms,
    next,
  }: { state: EmulatorState; ms: number; next: () => Promise<void> },
): Promise<void> {
  const { method, path } = c.req;
  const { uploadLimit: most } = settings();
  // All other bodies have come before the fault is met.
  const isStreamed = isUpload({ method, path });
  const held = isStreamed ? await holdContent(c.req.raw.body ?? undefined, { data, most }) : null;
  log.late(c.get('sequence'));
  resetConnection(c);
  try {
    const arrives = await waits.late(ms);
    if (!arrives || held === undefined) {
      c.set('effect', false);
      return;
    }
    c.set('content', held?.read());
    await next();
  } finally {
    await held?.drop();
  }
}
