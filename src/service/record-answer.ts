import { type Fields, fileRecordIn, isFields, textIn } from './find-list.ts';
import type { FileRecord } from './media-service.ts';
import type { Reader } from './receive-answer.ts';

/** Where an upload goes: the answer to its first step (section 4). */
export interface UploadTarget {
  readonly uploadUrl: string;
  /** The asset id of the record, where the service names it. */
  readonly id: number | undefined;
}

/** Reads `uploadURL` from an object, or from an array of one. */
export const readUploadTarget: Reader<UploadTarget> = (content) => {
  const answer = singleIn(content?.json);
  if (answer === undefined) return { problem: 'an object with an uploadURL was expected' };
  const uploadUrl = textIn(answer.uploadURL);
  if (uploadUrl === undefined || typeof answer.uploadURL !== 'string') {
    return { problem: 'there is no uploadURL in it' };
  }
  return { value: { uploadUrl, id: fileRecordIn(answer)?.id } };
};

/**
 * Reads the answer to an upload's content or to an update: nothing, plain text, any JSON value, an
 * object or an array of one; the record where there is one.
 */
export const readRecordAnswer: Reader<FileRecord | undefined> = (content) => {
  if (Array.isArray(content?.json) && content.json.length !== 1) {
    return { problem: `one record was expected, and its list has ${content.json.length}` };
  }
  return { value: fileRecordIn(singleIn(content?.json)) };
};

function singleIn(json: unknown): Fields | undefined {
  const value = Array.isArray(json) && json.length === 1 ? json[0] : json;
  return isFields(value) ? value : undefined;
}
