import type { MediaAssetError } from '../../errors/errors.ts';
import type { Size } from '../formats/rendition.ts';

/**
 * An SVG in the place of a picture that cannot be had: what is missing and why, in its size.
 *
 * @param error its message may hold anything, markup included
 */
export function drawStandIn({ width, height }: Size, id: number, error: MediaAssetError): string {
  const text = Math.max(8, Math.min(28, width / 16, height / 5));
  const perLine = Math.max(8, Math.floor((width * 0.9) / (text * 0.55)));
  const mostLines = Math.max(0, Math.floor(height / (text * 1.4)) - 2);
  const lines = [`asset ${id}`, error.code, ...wrap(error.message, perLine).slice(0, mostLines)];
  const first = height / 2 - ((lines.length - 1) * text * 1.4) / 2;
  const spans = lines.map((line, index) => {
    const weight = index === 0 ? ' font-weight="bold"' : '';
    return `<text x="50%" y="${Math.round(first + index * text * 1.4)}"${weight}>${escapeXml(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeXml(`asset ${id}: ${error.message}`)}</title>
<rect width="100%" height="100%" fill="#fdecea"/>
<path d="M0 0L${width} ${height}M${width} 0L0 ${height}" stroke="#f3b8b2"/>
<g font-family="ui-monospace, monospace" font-size="${Math.round(text)}" fill="#8a1c12" text-anchor="middle" dominant-baseline="middle">${spans.join('')}</g>
</svg>
`;
}

function wrap(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= length) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word.slice(0, length));
    }
  }
  return lines;
}

function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // XML has no escape for these.
      .replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, '�')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  );
}
