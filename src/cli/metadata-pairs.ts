import type { FileMetadata } from '../service/media-service.ts';
import { shorten, wrong } from './library-arguments.ts';

/**
 * Metadata from the command line: `name=text`, or `name:=json` for a number, a boolean, a list or
 * `null`.
 *
 * @throws `command-usage`
 */
export function readMetadataPairs(pairs: readonly string[]): FileMetadata {
  const fields = new Map<string, unknown>();
  for (const pair of pairs) {
    const [, name, isJson, text = ''] = /^([^=]*?)(:?)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined) wrong(`${shorten(pair)} is no pair: write key=value.`);
    if (name.trim() === '') wrong(`${shorten(pair)} has no key before its =.`);
    if (name !== name.trim() || name.length > 100 || /\p{C}/u.test(name)) {
      wrong(
        `The key of ${shorten(pair)} is none: up to 100 characters, without a space around it.`,
      );
    }
    if (fields.has(name)) wrong(`The key ${shorten(name)} is given twice.`);
    if (!text.isWellFormed()) wrong(`The value of ${shorten(name)} is no well-formed Unicode.`);
    fields.set(name, isJson ? readJson(name, text) : text);
  }
  return Object.fromEntries(fields);
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return wrong(`The value of ${shorten(`${name}:=`)} is not JSON: ${shorten(text)}.`);
  }
}
