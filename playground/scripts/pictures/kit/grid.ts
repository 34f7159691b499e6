import type { Size } from './layer.ts';
import { letter } from './lettering.ts';

const step = 200;

/**
 * A faint grid, a line every 200 pixels of the picture as displayed, each crossing labelled with
 * its place: a crop that is wrong, or moved by a pixel, can be seen.
 */
export function drawGrid({ width, height }: Size): string {
  const columns = steps(width);
  const rows = steps(height);
  const lines = [
    ...columns.map((x) => `M${x},0V${height}`),
    ...rows.map((y) => `M0,${y}H${width}`),
  ].join('');
  const labels = [0, ...columns]
    .flatMap((x) =>
      [0, ...rows].map((y) => letter(`x ${x} / y ${y}`, { x: x + 9, y: y + 23, size: 12 })),
    )
    .join('');
  const shape = 'fill="none" stroke-linecap="round" stroke-linejoin="round"';
  return `
    <g ${shape} stroke="#000" stroke-opacity=".13" transform="translate(1.4 1.4)">
      <path d="${lines}" stroke-width="1.4"/><path d="${labels}" stroke-width="1.7"/>
    </g>
    <g ${shape} stroke="#fff">
      <path d="${lines}" stroke-width="1.4" stroke-opacity=".2"/>
      <path d="${labels}" stroke-width="1.7" stroke-opacity=".34"/>
    </g>`;
}

function steps(length: number): number[] {
  return Array.from({ length: Math.ceil(length / step) - 1 }, (_, index) => (index + 1) * step);
}
