import type { MiddlewareHandler } from 'hono';
import {
  type CallContext,
  type CallEnvironment,
  type EmulatorState,
  hadEffect,
} from '../emulator-state.ts';
import { endlessAnswer, limitAnswer, redirectAnswer, statusAnswer } from './fault-answers.ts';
import { replaceAnswer, resetConnection } from './send-answer.ts';

/**
 * Applies a fault to a request. If the connection breaks after the request took effect, the log
 * breaks it, because it must write its entry first.
 *
 * @param clock returns ms since 1970
 */
export function injectFaults(
  state: EmulatorState,
  clock: () => number,
): MiddlewareHandler<CallEnvironment> {
  const { faults, waits, otherHost } = state;
  return async (c, next) => {
    const { method, path } = c.req;
    const { fault, latency } = faults.meet({ method, path, body: c.get('body') });
    c.set('fault', fault?.kind ?? (latency > 0 ? 'latency' : undefined));
    const answerInstead = (answer: Response): Promise<void> => {
      c.set('effect', false);
      return replaceAnswer(c, answer);
    };
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
        await answerInstead(limitAnswer(fault, clock()));
        break;
      case 'endless':
        await answerInstead(endlessAnswer(fault, { waits, cut: () => resetConnection(c) }));
        break;
      case 'redirect':
        await answerInstead(redirectAnswer(fault, { url: c.req.url, otherHost: otherHost() }));
        break;
    }
    if (latency > 0) await waits.pause(latency);
  };
}

async function beLate(
  c: CallContext,
  {
    state: { waits, log },
    ms,
    next,
  }: { state: EmulatorState; ms: number; next: () => Promise<void> },
): Promise<void> {
  log.late(c.get('sequence'));
  resetConnection(c);
  if (await waits.late(ms)) await next();
  else c.set('effect', false);
}
