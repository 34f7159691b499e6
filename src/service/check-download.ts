import { z } from 'zod';
import { checkArgument } from './check-argument.ts';
import type { CustomFormatParameters, DownloadRequest } from './media-service.ts';
import { signalArgument } from './signal-argument.ts';

const headerValue = z
  .string('expected a text')
  .regex(/^[\t\x20-\x7e\x80-\xff]{0,8192}$/, 'expected what a header can hold');

const request = z.strictObject({
  validators: z
    .strictObject({ etag: headerValue.optional(), lastModified: headerValue.optional() })
    .optional(),
  signal: signalArgument,
  onProgress: z
    .custom<DownloadRequest['onProgress']>(
      (value) => typeof value === 'function',
      'expected a function',
    )
    .optional(),
  html: z.boolean('expected true or false').optional(),
});

const parameters = z
  .record(
    z.string().regex(/^[^\p{C}\s]{1,100}$/u, 'expected the name of a parameter'),
    z.union(
      [z.number(), z.string().max(1000)],
      'expected a finite number or a text of up to 1000 characters',
    ),
    'expected an object of parameters',
  )
  .refine((given) => Object.keys(given).length <= 100, 'expected at most 100 parameters');

/** Throws `argument-invalid`. */
export function checkDownload(given: DownloadRequest): DownloadRequest {
  const place = 'files.original() or files.customFormat()';
  return checkArgument({ place, name: 'request', schema: request }, given);
}

/** Throws `argument-invalid`. */
export function checkFormat(given: CustomFormatParameters): CustomFormatParameters {
  const place = 'files.customFormat()';
  return checkArgument({ place, name: 'parameters', schema: parameters }, given);
}
