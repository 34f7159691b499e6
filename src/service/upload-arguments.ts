import { z } from 'zod';
import { checkArgument, functionArgument, signalArgument } from './check-argument.ts';
import type { FileMetadata } from './media-service.ts';
import { metadataArgument } from './update-call.ts';
import type { UploadFile, UploadProgress } from './upload-source.ts';

/** What the service is told about a file, besides its size. */
export interface UploadMetadata {
  /** @default the name of the file that a path names; bytes need one */
  readonly filename?: string | undefined;
  /** The id of the folder that the file goes into. */
  readonly folder: number;
  /** Metadata that is changed once the content is there, as by `files.update()`. */
  readonly fields?: FileMetadata | undefined;
}

export interface UploadRequest {
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Ends the upload; the error then says whether there is a record. */
  readonly signal?: AbortSignal | undefined;
}

/** Of a path, in UTF-16 units: no system takes a longer one. */
const longestPath = 32_767;

const file = z.custom<UploadFile>((value) => {
  if (value instanceof URL || value instanceof Uint8Array) return true;
  if (typeof value !== 'string' || value === '') return false;
  return value.length <= longestPath && !value.includes('\0');
}, 'expected a path, a file: URL or bytes (Uint8Array)');

const nameExpected = 'expected a file name of 1 to 255 characters, without / and \\';
const folderExpected = 'expected a folder id: an integer from 0';

const metadata = z.strictObject({
  filename: z
    .string(nameExpected)
    .regex(/^[^\p{Cc}/\\]{1,255}$/u, nameExpected)
    .refine((name) => name.isWellFormed() && name !== '.' && name !== '..', nameExpected)
    .optional(),
  folder: z.int(folderExpected).min(0, folderExpected),
  fields: metadataArgument.optional(),
});

const request = z.strictObject({
  onProgress: functionArgument<(progress: UploadProgress) => void>(),
  signal: signalArgument,
});

/** The arguments of `files.upload()`, checked. Throws `argument-invalid`. */
export function uploadArguments(given: {
  file: UploadFile;
  metadata: UploadMetadata;
  request: UploadRequest | undefined;
}) {
  const place = 'files.upload()';
  const { request: requested = {} } = given;
  return {
    file: checkArgument({ place, name: 'file', schema: file }, given.file),
    metadata: checkArgument({ place, name: 'metadata', schema: metadata }, given.metadata),
    request: checkArgument({ place, name: 'request', schema: request }, requested),
  };
}
