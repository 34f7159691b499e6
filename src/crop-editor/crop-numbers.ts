import type { Rectangle, Size } from '../assets/formats/rendition.ts';
import { createElement } from './create-element.ts';
import { sizeIn } from './crop-geometry.ts';
import { pixels } from './crop-preview.ts';

export interface Numbers {
  readonly element: HTMLElement;
  /** Shows a rectangle, and drops values that weren't valid. */
  show(rectangle: Rectangle, ratio: number | undefined): void;
}

type Side = keyof Rectangle;

const names: Readonly<Record<Side, string>> = { x: 'X', y: 'Y', width: 'Width', height: 'Height' };

/** Four inputs in pixels of the original. */
export function createNumbers({
  original,
  onChange,
}: {
  original: Size;
  onChange(rectangle: Rectangle): void;
}): Numbers {
  let rectangle: Rectangle = { x: 0, y: 0, ...original };
  let ratio: number | undefined;
  const problem = createElement('p', {
    class: 'problem',
    id: 'media-asset-crop-problem',
    role: 'alert',
  });
  problem.hidden = true;

  const inputs = (Object.keys(names) as Side[]).map((side) => {
    const input = createElement('input', { type: 'number', step: '1', 'data-side': side });
    input.addEventListener('change', () => {
      const message = problemOf(side, input, { rectangle, original });
      problem.hidden = message === undefined;
      problem.textContent = message ?? '';
      markInvalid(input, message !== undefined);
      if (message === undefined) {
        onChange(withSide(side, input.valueAsNumber, { rectangle, original, ratio }));
      }
    });
    return { side, input };
  });

  return {
    element: createElement(
      'fieldset',
      { class: 'numbers' },
      createElement('legend', {}, 'Pixels of the original'),
      ...inputs.map(({ side, input }) =>
        createElement('label', {}, createElement('span', {}, names[side]), input),
      ),
      problem,
    ),
    show(next, nextRatio) {
      rectangle = next;
      ratio = nextRatio;
      problem.hidden = true;
      for (const { side, input } of inputs) {
        markInvalid(input, false);
        const value = String(rectangle[side]);
        if (input.value !== value) input.value = value;
      }
    },
  };
}

function markInvalid(input: HTMLInputElement, invalid: boolean): void {
  if (invalid) {
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', 'media-asset-crop-problem');
  } else {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
}

function problemOf(
  side: Side,
  input: HTMLInputElement,
  { rectangle, original }: { rectangle: Rectangle; original: Size },
): string | undefined {
  const least = side === 'x' || side === 'y' ? 0 : 1;
  const most = {
    x: original.width - rectangle.width,
    y: original.height - rectangle.height,
    width: original.width - rectangle.x,
    height: original.height - rectangle.y,
  }[side];
  const value = input.valueAsNumber;
  if (Number.isInteger(value) && value >= least && value <= most) return undefined;
  if (most === least) return `${names[side]} can only be ${least} here.`;
  return `${names[side]} must be a whole number from ${least} to ${pixels(most)}.`;
}

function withSide(
  side: Side,
  value: number,
  {
    rectangle,
    original,
    ratio,
  }: { rectangle: Rectangle; original: Size; ratio: number | undefined },
): Rectangle {
  const next = { ...rectangle, [side]: value };
  if (ratio === undefined || side === 'x' || side === 'y') return next;
  const room = { width: original.width - next.x, height: original.height - next.y };
  return { ...next, ...sizeIn(room, side === 'width' ? value : value * ratio, ratio) };
}
