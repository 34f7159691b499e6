import type { Rectangle, Size } from '../../assets/formats/rendition.ts';
import { createElement, createProblem } from './create-element.ts';
import { sizeIn } from './crop-geometry.ts';
import { pixels } from './crop-preview.ts';

type Side = keyof Rectangle;

const names: Readonly<Record<Side, string>> = { x: 'X', y: 'Y', width: 'Width', height: 'Height' };

export function createNumbers({
  original,
  onChange,
}: {
  original: Size;
  onChange(rectangle: Rectangle): void;
}) {
  let rectangle: Rectangle = { x: 0, y: 0, ...original };
  let ratio: number | undefined;
  const problem = createProblem('media-asset-crop-problem');
  const inputs = (Object.keys(names) as Side[]).map((side) => {
    const input = createElement('input', { type: 'number', step: '1', 'data-side': side });
    input.addEventListener('change', () => {
      const message = problemOf(side, input.valueAsNumber);
      problem.show(input, message);
      if (message === undefined) onChange(withSide(side, input.valueAsNumber));
    });
    return { side, input };
  });

  function problemOf(side: Side, value: number): string | undefined {
    const least = side === 'x' || side === 'y' ? 0 : 1;
    const most = {
      x: original.width - rectangle.width,
      y: original.height - rectangle.height,
      width: original.width - rectangle.x,
      height: original.height - rectangle.y,
    }[side];
    if (Number.isInteger(value) && value >= least && value <= most) return undefined;
    if (most === least) return `${names[side]} can only be ${least} here.`;
    return `${names[side]} must be a whole number from ${least} to ${pixels(most)}.`;
  }

  function withSide(side: Side, value: number): Rectangle {
    const next = { ...rectangle, [side]: value };
    if (ratio === undefined || side === 'x' || side === 'y') return next;
    const room = { width: original.width - next.x, height: original.height - next.y };
    return { ...next, ...sizeIn(room, side === 'width' ? value : value * ratio, ratio) };
  }

  return {
    element: createElement(
      'fieldset',
      { class: 'numbers' },
      createElement('legend', {}, 'Pixels of the original'),
      ...inputs.map(({ side, input }) =>
        createElement('label', {}, createElement('span', {}, names[side]), input),
      ),
      problem.element,
    ),
    /** Shows a rectangle, and drops values that weren't valid. */
    show(next: Rectangle, nextRatio: number | undefined) {
      rectangle = next;
      ratio = nextRatio;
      for (const { side, input } of inputs) {
        problem.show(input, undefined);
        const value = String(rectangle[side]);
        if (input.value !== value) input.value = value;
      }
    },
  };
}
