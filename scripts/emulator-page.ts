import { emulatorSwitches } from '../src/emulator/settings.ts';

/** `docs/reference/emulator.md` with a new table of settings, between two comments. */
export function emulatorPage(page: string): string {
  const part = /(<!-- settings: [^>]* -->\n).*?(<!-- end -->)/s;
  if (!part.test(page))
    throw new Error('docs/reference/emulator.md has no place for its settings.');
  const rows = emulatorSwitches.map(({ flag, description, default: fallback }) => [
    `\`--${flag}\``,
    description,
    fallback === '' ? 'none' : `\`${fallback}\``,
  ]);
  const head = ['flag', 'meaning', 'default'];
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return page.replace(part, (_, start, end) => `${start}\n${table.join('\n')}\n\n${end}`);
}
