import { oneLine } from '../../errors/wording.ts';

/** The assets' names in the service, by ID. Outside text with any content. */
export type AssetNames = Readonly<Record<string, string>>;

const longestName = 60;

/** An asset in plans, on one line: `4711 The quay at dawn`. Only the ID if the name is unknown. */
export function assetLabel(id: number, names: AssetNames = {}): string {
  const name = Array.from(oneLine(names[id] ?? '').trim());
  const shown = name.length > longestName ? [...name.slice(0, longestName - 1), '…'] : name;
  return `${id} ${shown.join('')}`.trimEnd();
}
