import { Hono } from 'hono';
import { MediaAssetError } from '../errors/errors.ts';
import { requireLoopbackHost, requireLoopbackOrigin } from './auth/require-loopback.ts';
import { answerErrors, badRequest, HttpError } from './calls/http-error.ts';
import { parseJsonBody, readBody } from './calls/read-body.ts';
import type { EmulatorControls } from './controls.ts';
import type { CallContext, CallEnvironment } from './emulator-state.ts';
import type { FaultInput } from './faults/fault-schema.ts';
import { changeableSettings, type EmulatorChanges, type EmulatorSettings } from './settings.ts';

/** Maximum body of an admin call, in bytes. */
const maxBodyBytes = 256 * 1024;

/** The admin calls under `/_emulator/`: faults, settings and reset. They aren't logged. */
export function createAdminApp({
  controls,
  settings,
  onFault,
}: {
  controls: EmulatorControls;
  settings: () => EmulatorSettings;
  onFault: (error: unknown) => void;
}): Hono<CallEnvironment> {
  const app = new Hono<CallEnvironment>();
  app.use(async (c, next) => {
    requireLoopbackHost(c);
    requireLoopbackOrigin(c);
    await next();
  });
  app.get('/_emulator/faults', (c) => c.json({ faults: controls.faults() }));
  app.post('/_emulator/faults', async (c) => {
    const faults = await readJson(c);
    accept('faults-invalid', () => controls.setFaults(faults as FaultInput[]));
    return c.json({ faults: controls.faults() });
  });
  app.delete('/_emulator/faults', (c) => {
    controls.setFaults([]);
    return c.json({ faults: [] });
  });
  app.put('/_emulator/settings', async (c) => {
    const changes = await readJson(c);
    if (typeof changes !== 'object' || changes === null || Array.isArray(changes))
      throw badRequest('settings-invalid', "The body isn't a JSON object.");
    accept('settings-invalid', () => controls.setSettings(changes as EmulatorChanges));
    return c.json({ settings: changeableSettings(settings()) });
  });
  app.post('/_emulator/reset', (c) => {
    controls.reset();
    return c.json({ ok: true });
  });
  return answerErrors(app, onFault);
}

function accept(code: string, take: () => void): void {
  try {
    take();
  } catch (error) {
    if (error instanceof MediaAssetError && error.code === 'emulator-options-invalid')
      throw badRequest(code, error.message);
    throw error;
  }
}

async function readJson(c: CallContext): Promise<unknown> {
  const { body, whole } = await readBody(c.req.raw, maxBodyBytes);
  if (body.length > maxBodyBytes)
    throw new HttpError(413, 'body-too-large', `The body is larger than ${maxBodyBytes} bytes.`, {
      Connection: 'close',
    });
  if (!whole) throw badRequest('body-cut-short', 'The body ended too early.');
  return parseJsonBody(body, c.req.header('Content-Type') ?? '');
}
