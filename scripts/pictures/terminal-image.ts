/** An image of a command's output. */
export interface TerminalText {
  /** The typed command. */
  readonly command: string;
  /** The output, with ANSI colours. */
  readonly output: string;
  readonly columns: number;
}

interface Span {
  readonly text: string;
  readonly classes: readonly string[];
}

/** In pixels. */
const cell = { width: 8.43, height: 20 };
const inset = 20;
const bar = 36;

const styles: Readonly<Record<string, string>> = {
  '1': 'bold',
  '2': 'dim',
  '31': 'red',
  '32': 'green',
  '33': 'yellow',
};

/**
 * A terminal with a command's output, as SVG: dark, with a frame that is visible on light and dark
 * pages. Text stays text, so it's sharp, small and comparable.
 */
export function terminalImage({ command, output, columns }: TerminalText): string {
  const lines: Span[][] = [
    [
      { text: '$ ', classes: ['green'] },
      { text: command, classes: ['bold'] },
    ],
    [],
    ...output
      .trimEnd()
      .split(/\r?\n/)
      .flatMap((line) => wrap(toSpans(line), columns)),
  ];
  const width = Math.ceil(columns * cell.width + 2 * inset);
  const height = bar + lines.length * cell.height + inset;
  const texts = lines.map((line, index) => {
    const y = bar + (index + 0.75) * cell.height;
    return line.length === 0
      ? ''
      : `<text x="${inset}" y="${y}" textLength="${lengthOf(line)}">${line.map(toTspan).join('')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${toXml(command)}</title>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d7dce2; white-space: pre }
.bold { font-weight: 700; fill: #fff }
.dim { fill: #8b96a5 }
.green { fill: #6fdc8c }
.yellow { fill: #f2c94c }
.red { fill: #ff8389 }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="#161b22" stroke="#4a5361"/>
<g fill="#4a5361"><circle cx="22" cy="19" r="6"/><circle cx="42" cy="19" r="6"/><circle cx="62" cy="19" r="6"/></g>
${texts.filter(Boolean).join('\n')}
</svg>
`;
}

/** In pixels, whatever font a reader has. */
function lengthOf(line: readonly Span[]): number {
  const characters = line.reduce((sum, { text }) => sum + [...text].length, 0);
  return Math.round(100 * characters * cell.width) / 100;
}

/** Goes on below where a line reaches the end of the terminal, as terminals do. */
function wrap(line: readonly Span[], columns: number): Span[][] {
  const lines: Span[][] = [[]];
  let room = columns;
  for (const { text, classes } of line) {
    let rest = [...text];
    while (rest.length > 0) {
      if (room === 0) {
        lines.push([]);
        room = columns;
      }
      const part = rest.slice(0, room);
      lines.at(-1)?.push({ text: part.join(''), classes });
      rest = rest.slice(room);
      room -= part.length;
    }
  }
  return lines;
}

/** Splits a line into parts of the same colour. Colours end with their line. */
function toSpans(line: string): Span[] {
  const spans: Span[] = [];
  let classes: string[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the code that begins a colour is one
  for (const [index, part] of line.split(/\u001b\[([\d;]*)m/).entries()) {
    if (index % 2 === 0) {
      if (part !== '') spans.push({ text: part, classes });
    } else {
      classes = part.split(';').reduce(change, classes);
    }
  }
  return spans;
}

/** 22 ends bold and dim, 39 a colour, 0 all. */
function change(classes: string[], code: string): string[] {
  const isWeight = (name: string) => name === 'bold' || name === 'dim';
  const added = styles[code];
  if (added) return [...classes, added];
  if (code === '22') return classes.filter((name) => !isWeight(name));
  if (code === '39') return classes.filter(isWeight);
  if (code === '0' || code === '') return [];
  throw new Error(`The picture of a terminal does not know the code ${code}.`);
}

function toTspan({ text, classes }: Span): string {
  const named = classes.length > 0 ? ` class="${classes.join(' ')}"` : '';
  return `<tspan xml:space="preserve"${named}>${toXml(text)}</tspan>`;
}

function toXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
