import { oneLine } from '../../errors/wording.ts';

/** The names of assets in the service, by ID. Outside text: it can hold anything. */
export type AssetNames = Readonly<Record<string, string>>;

const longestName = 60;

/** An asset as plans name it: `4711 The quay at dawn`, on one line. Only the ID if its name is unknown. */
export function assetLabel(id: number, names: AssetNames = {}): string {
  const name = Array.from(oneLine(names[id] ?? '').trim());
  const shown = name.length > longestName ? [...name.slice(0, longestName - 1), '…'] : name;
  return `${id} ${shown.join('')}`.trimEnd();
}
