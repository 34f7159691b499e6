import { z } from 'zod';
import { problemsIn } from '../../errors/wording.ts';
import { type App, type CallContext, type EmulatorState, requireAsset } from '../emulator-state.ts';
import type { Asset } from '../library/asset.ts';
import { metadataSchema } from '../library/sidecars.ts';
import { declaredFields, fileRecord, parseFields, recordFields } from './file-record.ts';
import { badRequest, type HttpError } from './http-error.ts';
import { parseJsonBody } from './json-body.ts';
import { requireFolder } from './library-calls.ts';

/** An upload's first step, one file's record, and updates of a record (section 4). */
export function addRecordCalls(app: App, state: EmulatorState): void {
  const { library, records } = state;

  app.post('/1/file', (c) => {
    const { filename, size, folder, name = null, metadata } = readRecordBody(c, state);
    if (filename === undefined || size === undefined || folder === undefined)
      throw badRequest('record-invalid', 'filename, size and folder must be given.');
    const target = requireFolder(state, folder);
    const values = { filename, folder: target.id, name, metadata };
    const { id, signature } = records.announce(size, values);
    const asset = library.record(id) as Asset;
    const uploadURL = new URL(`/1/upload/${id}?signature=${signature}`, c.req.url).href;
    return c.json({ ...fileRecord(asset, state), uploadURL });
  });

  app.get('/1/file/:id', (c) => {
    const asset = requireAsset(library.record, c.req.param('id'));
    return c.json(fileRecord(asset, state, parseFields(c)));
  });

  app.put('/1/file/:id', (c) => {
    const asset = requireAsset(library.record, c.req.param('id'));
    const { size, folder, filename, ...changes } = readRecordBody(c, state);
    if (size !== undefined)
      throw badRequest('record-invalid', "Invalid record: a size can't be changed.");
    const target = folder === undefined ? undefined : requireFolder(state, folder);
    records.change(asset, { ...changes, filename, folder: target?.id });
    return c.json(fileRecord(library.record(asset.id) as Asset, state));
  });
}

/** A file name that is valid on every file system, because downloads may be saved with it. */
const fileName = z
  .string()
  .regex(/^[^/\\\p{Cc}]+$/u, 'expected a name without slashes and control characters')
  .refine((name) => Buffer.byteLength(name) <= 255, 'expected at most 255 bytes')
  .refine((name) => name.isWellFormed() && !/^\.{1,2}$/.test(name), 'expected a file name');

const wholeNumber = z.union([z.int(), z.string().regex(/^(0|-?[1-9]\d{0,15})$/)]);

/** The body of an upload's first step, or of an update. Unknown fields become metadata. */
const recordBody = z.object({
  filename: fileName.optional(),
  /** `null` resets it to the file name. */
  name: z.string().min(1).max(10_000).nullish(),
  /** In bytes. */
  size: wholeNumber
    .transform(Number)
    .refine((size) => size >= 0, 'expected 0 or more')
    .refine(Number.isSafeInteger, 'expected a safe integer')
    .optional(),
  /** The ID as given. */
  folder: wholeNumber.transform(String).optional(),
  metadata: metadataSchema,
});

function readRecordBody(c: CallContext, { settings }: EmulatorState): z.output<typeof recordBody> {
  const value = parseJsonBody(c.get('body'), c.req.header('Content-Type') ?? '');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('json-invalid', "The body isn't a JSON object.");
  const { filename, size, folder, name, ...metadata } = value as Record<string, unknown>;
  const fixed = Object.keys(metadata).filter((field) => recordFields.includes(field));
  if (fixed.length > 0) throw invalid([`${fixed.join(', ')}: can't be set`]);
  const known = declaredFields(settings);
  const unknown = Object.keys(metadata).filter((field) => known && !known.includes(field));
  if (unknown.length > 0) throw invalid([`${unknown.join(', ')}: unknown field`]);
  const read = recordBody.safeParse({ filename, name, size, folder, metadata });
  if (read.success) return read.data;
  throw invalid(problemsIn(read.error));
}

function invalid(problems: readonly string[]): HttpError {
  return badRequest('record-invalid', `Invalid record: ${problems.join('; ').slice(0, 2000)}.`);
}
