import { ignoreOurs, mediaAssetError } from '../../errors/errors.ts';
import {
  encodeSource,
  hashOf,
  readSourceFile,
  type SourceText,
  writeSourceFile,
} from '../source/source-file.ts';
import type { Save, SavedPlace } from './protocol.ts';

/** How many saves can be taken back. */
const most = 10;

/** The most characters of a save's lines. */
const longest = 4000;

/** The last saves of a dev session, which an author can take back. */
export function openSaves(root: string) {
  let saves: { place: SavedPlace; source: SourceText; bytes: Buffer; text: string }[] = [];
  let count = 0;
  return {
    async write(
      source: SourceText,
      text: string,
      line: number,
    ): Promise<{ bytes: Buffer; place: SavedPlace }> {
      const bytes = encodeSource(text, source);
      if (!bytes.equals(source.bytes)) await writeSourceFile(source, bytes, { line });
      count += 1;
      const place = { file: source.file, line, save: count };
      saves = [{ place, source, bytes, text }, ...saves].slice(0, most);
      return { bytes, place };
    },
    /** Takes a save back, if its file hasn't changed since. */
    async undo(number: number): Promise<void> {
      const found = saves.find(({ place }) => place.save === number);
      if (!found) {
        const problem = `only the last ${most} saves of this session can be undone`;
        throw mediaAssetError('toolbar-request-invalid', { problem });
      }
      const { place, source, bytes } = found;
      await writeSourceFile({ ...source, bytes }, source.bytes, { line: place.line });
      saves = saves.filter((one) => one !== found);
    },
    /** The newest first. */
    list: (): Promise<Save[]> =>
      Promise.all(
        saves.map(async ({ place, source, bytes, text }) => {
          const now = await readSourceFile(root, place.file).catch(ignoreOurs);
          return {
            ...place,
            ...changedLines(source.text, text),
            canUndo: now?.hash === hashOf(bytes),
          };
        }),
      ),
  };
}

function changedLines(before: string, after: string): Pick<Save, 'before' | 'after'> {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let [start, end] = [0, 0];
  while (start < shorter && old[start] === now[start]) start += 1;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const part = (lines: string[]) => lines.slice(start, lines.length - end).join('\n');
  return { before: part(old).slice(0, longest), after: part(now).slice(0, longest) };
}
