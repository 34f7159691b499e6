import { z } from 'zod';
import { checkArgument, signalArgument } from './check-argument.ts';
import type { FilesRequest, ListRequest, TreeRequest } from './media-service.ts';
import { type Call, getJson } from './service-context.ts';

const fieldName = z
  .string('expected a text')
  .regex(/^[^\p{C}\s,][^\p{C},]{0,99}$/u, 'expected the name of a field, without a comma');
const fieldNames = z
  .array(fieldName, 'expected a list of field names')
  .min(1, 'expected at least one field name')
  .max(100, 'expected at most 100 field names');
const limit = (fallback: number) =>
  z.int('expected a positive integer').min(1, 'expected a positive integer').default(fallback);

const treeRequest = z
  .strictObject({
    fields: z.union([z.literal('all'), fieldNames], "expected 'all' or a list of field names"),
    signal: signalArgument,
  })
  .partial();

const listShape = {
  fields: fieldNames.default(['id', 'name', 'filename']),
  signal: signalArgument,
  maxPages: limit(1000),
  maxRecords: limit(100_000),
};
const listRequest = z.strictObject(listShape);
const filesRequest = z.strictObject({
  ...listShape,
  type: z
    .string('expected a text')
    .regex(/^[^\p{C}\s]{1,100}$/u, 'expected a media type, such as any')
    .default('any'),
  processed: z.boolean('expected true or false').default(true),
});

const folderId = z
  .int('expected a folder id: an integer from 0')
  .min(0, 'expected a folder id: an integer from 0');
const searchText = z
  .string('expected a text')
  .min(1, 'expected a text of 1 to 1000 characters')
  .max(1000, 'expected a text of 1 to 1000 characters')
  .refine((text) => text.trim() !== '', 'expected a text that is not blank')
  .refine((text) => text.isWellFormed(), 'expected well-formed Unicode');

/** A list of files to be asked for, its request checked and complete. */
export interface ListCall {
  /** As messages name it. */
  readonly name: string;
  readonly url: string;
  readonly request: z.output<typeof listRequest>;
}

/** GET `/1/foldertree?fields=…` (section 4). Throws `argument-invalid`. */
export function treeCall(baseUrl: string, request: TreeRequest = {}): Call {
  const check = { place: 'folders.tree()', name: 'request', schema: treeRequest };
  const { fields = 'all', signal } = checkArgument(check, request);
  const url = `${baseUrl}/1/foldertree?fields=${fields === 'all' ? fields : withId(fields)}`;
  return { kind: 'list', name: `the folder tree (GET ${url})`, request: getJson(url), signal };
}

/** GET `/1/folder/{id}/files?fields=…&type=…&processed=true` (section 4). Throws `argument-invalid`. */
export function filesCall(baseUrl: string, folder: number, given: FilesRequest = {}): ListCall {
  const place = 'folders.files()';
  const id = checkArgument({ place, name: 'folderId', schema: folderId }, folder);
  const request = checkArgument({ place, name: 'request', schema: filesRequest }, given);
  const query = [
    `fields=${withId(request.fields)}`,
    `type=${encodeURIComponent(request.type)}`,
    ...(request.processed ? ['processed=true'] : []),
  ];
  const url = `${baseUrl}/1/folder/${id}/files?${query.join('&')}`;
  return { name: `the list of the files of folder ${id} (GET ${url})`, url, request };
}

/** GET `/1/search/file?query=…&fields=…` (section 4). Throws `argument-invalid`. */
export function searchCall(baseUrl: string, text: string, given: ListRequest = {}): ListCall {
  const place = 'search()';
  const query = checkArgument({ place, name: 'query', schema: searchText }, text);
  const request = checkArgument({ place, name: 'request', schema: listRequest }, given);
  const parameters = `query=${encodeURIComponent(query)}&fields=${withId(request.fields)}`;
  const url = `${baseUrl}/1/search/file?${parameters}`;
  return { name: `the search (GET ${url})`, url, request };
}

/** Records are told apart by their id. */
function withId(fields: readonly string[]): string {
  const names = fields.includes('id') ? fields : ['id', ...fields];
  return names.map(encodeURIComponent).join(',');
}
