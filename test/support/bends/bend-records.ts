import { authenticate } from '../../../src/emulator/auth/authenticate.ts';
import { badRequest, HttpError } from '../../../src/emulator/calls/http-error.ts';
import type { CallContext } from '../../../src/emulator/emulator-state.ts';
import type { BendParts } from './bend-answers.ts';
import { changeJson, changeRequest } from './send-answer.ts';

/** Forms of a file's record, and the names in requests that change it. */
export function bendRecords({ app, state, settings, second }: BendParts): void {
  const answerRecord = (c: CallContext) =>
    changeJson(c, (record) => (settings().fileRecord === 'array' ? [record] : record));

  app.use('/1/file', async (c, next) => {
    rename(c, settings().uploadNames);
    await next();
    const { uploadUrl } = settings();
    if (uploadUrl !== 'absolute')
      await changeJson(c, (record) => {
        const { uploadURL, ...rest } = record as { uploadURL: string };
        const { pathname, search } = new URL(uploadURL);
        const host = uploadUrl === 'relative' ? '' : second().url;
        return { ...rest, uploadURL: `${host}${pathname}${search}` };
      });
    await answerRecord(c);
  });

  app.use('/1/file/:id', async (c, next) => {
    if (settings().recordCall === 'missing' && c.req.method !== 'PUT') {
      authenticate(c, state);
      throw new HttpError(404, 'call-unknown', 'There is no such call.');
    }
    rename(c, settings().uploadNames);
    await next();
    await answerRecord(c);
  });

  app.use('/1/upload/:id', async (c, next) => {
    await next();
    await answerRecord(c);
  });
}

const ownNames = ['filename', 'size', 'folder'] as const;

/** Gives the fields of a body the emulator's own names. @throws HttpError 400 if it has them */
function rename(c: CallContext, uploadNames: string): void {
  const names = uploadNames.split(',');
  if (names.join() === ownNames.join()) return;
  const value = parse(c.get('body'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const wrong = ownNames.filter((own) => own in value && !names.includes(own));
  if (wrong.length > 0)
    throw badRequest('record-invalid', `Invalid record: ${wrong}: can't be set.`);
  const renamed = Object.entries(value).map(([name, field]) => [
    ownNames[names.indexOf(name)] ?? name,
    field,
  ]);
  changeRequest(c, { body: JSON.stringify(Object.fromEntries(renamed)) });
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // The emulator refuses it.
    return undefined;
  }
}
