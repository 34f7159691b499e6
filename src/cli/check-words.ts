import type { Command } from 'commander';
import { shorten, wrong } from './library-arguments.ts';

/** Characters of a word: more than paths, addresses and globs have. */
const longest = 5000;

/**
 * Refuses words that are right nowhere, before they reach a command or a message. Metadata may be
 * longer, and `update` has limits of its own.
 *
 * @param words the words after the program's name
 * @throws `command-usage`
 */
export function checkWords(words: readonly string[]): void {
  const takesMetadata = words.find((word) => !word.startsWith('-')) === 'update';
  for (const word of words) {
    if (word.includes('\0')) wrong(`${shorten(word)} holds a null character.`);
    if (!word.isWellFormed()) wrong(`${shorten(word)} is no well-formed Unicode.`);
    const isPair = takesMetadata && /^[^-=][^=]*=/.test(word);
    if (word.length > longest && !isPair) {
      wrong(`${shorten(word)} has ${word.length} characters; at most ${longest} can be.`);
    }
  }
}

/**
 * Refuses arguments and options that are given and empty, as from a variable that is not set.
 *
 * @throws `command-usage`
 */
export function checkNotEmpty(command: Command): void {
  const values: Readonly<Record<string, unknown>> = command.opts();
  for (const option of command.options) {
    if (isEmpty(values[option.attributeName()])) wrong(`${option.long} is empty.`);
  }
  command.registeredArguments.forEach((argument, index) => {
    if (isEmpty(command.processedArgs[index])) wrong(`<${argument.name()}> is empty.`);
  });
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isEmpty);
  return typeof value === 'string' && value.trim() === '';
}
