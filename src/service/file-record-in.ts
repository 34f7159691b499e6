import { type Fields, idIn, isFields, textIn } from './find-list.ts';
import type { FileRecord } from './media-service.ts';

/** A file's record (section 2.4); undefined for anything without an asset id. */
export function fileRecordIn(entry: unknown): FileRecord | undefined {
  const fields: Fields = isFields(entry) ? entry : {};
  const id = idIn(fields.id);
  if (id === undefined || id === 0) return undefined;
  return { id, name: textIn(fields.name), filename: textIn(fields.filename), fields };
}
