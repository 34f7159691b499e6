import type { MiddlewareHandler } from 'hono';
import type { CallContext, CallEnvironment } from '../../../../src/emulator/emulator-state.ts';
import type { BendLog } from '../bend-log.ts';
import { sentPath } from '../second-host.ts';
import { replaceAnswer, resetConnection, sendNothing, sendPart } from '../send-answer.ts';
import type { ActiveFaults } from './active-faults.ts';
import { endlessAnswer, limitAnswer, statusAnswer } from './fault-answers.ts';
import type { Fault } from './faults.ts';
import type { Waits } from './waits.ts';

/** Two middlewares for faults, because the log must have its entry before a connection breaks. */
export function injectFaults({
  faults,
  waits,
  log,
}: {
  faults: ActiveFaults;
  waits: Waits;
  log: BendLog;
}): Record<'beforeLog' | 'beforeCalls', MiddlewareHandler<CallEnvironment>> {
  const met = new WeakMap<CallContext, Fault>();

  const beforeCalls: MiddlewareHandler<CallEnvironment> = async (c, next) => {
    const request = { method: c.req.method, path: sentPath(c), body: c.get('body') };
    const { fault, latency } = faults.meet(request);
    if (fault !== undefined) met.set(c, fault);
    const kind = fault?.kind ?? (latency > 0 ? 'latency' : undefined);
    if (kind !== undefined) log.note(c, { fault: kind });
    const answerInstead = (answer: Response): Promise<void> => {
      log.note(c, { effect: false });
      return replaceAnswer(c, answer);
    };
    switch (fault?.kind) {
      case undefined:
      case 'reset-after':
      case 'truncate':
        await next();
        break;
      case 'reset-before':
      case 'endless':
        await answerInstead(new Response(null));
        break;
      case 'late':
        log.write(c, { sent: false, effect: null });
        resetConnection(c);
        if (await waits.late(fault.ms)) await next();
        else await answerInstead(new Response(null));
        break;
      case 'status':
        if (fault.effect) await next();
        log.note(c, { effect: fault.effect === true && log.hadEffect(c) });
        await replaceAnswer(c, statusAnswer(fault.status, fault.body));
        break;
      case 'limit':
        await answerInstead(limitAnswer(fault));
        break;
    }
    if (latency > 0) await waits.pause(latency);
  };

  const beforeLog: MiddlewareHandler<CallEnvironment> = async (c, next) => {
    await next();
    const fault = met.get(c);
    switch (fault?.kind) {
      case 'reset-before':
      case 'reset-after':
        log.write(c, { sent: false });
        resetConnection(c);
        return sendNothing(c);
      case 'late':
        log.write(c, { sent: false });
        return sendNothing(c);
    }
    log.write(c, {});
    if (fault?.kind === 'endless')
      return replaceAnswer(c, endlessAnswer(fault, { waits, cut: () => resetConnection(c) }));
    if (fault?.kind !== 'truncate' || !c.res.ok) return;
    const whole = await c.res.clone().bytes();
    if (whole.length > 0)
      return sendPart(c, whole.subarray(0, Math.floor(whole.length / 2)), whole.length);
  };
  return { beforeLog, beforeCalls };
}
