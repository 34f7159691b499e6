import { faultCalls, faultKinds } from '../src/emulator/faults/fault-schema.ts';
import { emulatorSwitches } from '../src/emulator/settings.ts';

/** `docs/reference/emulator.md` with new tables, each between two comments with its name. */
export function emulatorPage(page: string): string {
  const parts = {
    switches: switchesTable(),
    calls: faultCalls.map((call) => `\`${call}\``).join(', '),
    faults: faultsTable(),
  };
  return Object.entries(parts).reduce((text, [name, made]) => {
    const part = new RegExp(`(<!-- ${name}: [^>]* -->\n).*?(<!-- end -->)`, 's');
    if (!part.test(text))
      throw new Error(`docs/reference/emulator.md has no place for its ${name}.`);
    return text.replace(part, (_, start, end) => `${start}\n${made}\n\n${end}`);
  }, page);
}

function switchesTable(): string {
  return table(
    ['flag', 'meaning', 'values', 'default'],
    emulatorSwitches.map(({ flag, description, choices, type, default: fallback }) => [
      `\`--${flag}\``,
      description,
      choices?.map((choice) => `\`${choice}\``).join(', ') ?? (type === 'string' ? 'text' : type),
      fallback === '' ? 'none' : `\`${fallback}\``,
    ]),
  );
}

function faultsTable(): string {
  return table(
    ['kind', 'what happens', 'fields of its own'],
    faultKinds.map(({ kind, description, fields }) => [
      `\`${kind}\``,
      description,
      fields
        .map(({ name, description: meaning, default: fallback }) => {
          const without = fallback === undefined ? '' : ` (default: \`${fallback}\`)`;
          return `\`${name}\`: ${meaning}${without}`;
        })
        .join('<br>'),
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
