import type { Rectangle, Size } from '../../assets/formats/rendition.ts';
import { parseAspect } from '../../assets/geometry/fit-image.ts';
import { createElement, createProblem } from './create-element.ts';
import { commonRatios, formatRatio, readAspect, sizeIn } from './crop-geometry.ts';
import { pixels } from './crop-preview.ts';
import type { OwnState } from './crop-state.ts';

type Method = OwnState['kind'];

const methods: readonly { label: string; kind: Method }[] = [
  { label: 'Draw a crop', kind: 'drawn' },
  { label: 'Cut around a focus point', kind: 'focus' },
];

export function createMethods(onChange: (kind: Method) => void) {
  const choices = methods.map(({ label, kind }) => ({
    ...createChoice('media-asset-method', [label], () => onChange(kind)),
    kind,
  }));
  return {
    element: createElement(
      'fieldset',
      { class: 'methods' },
      createElement('legend', { class: 'unseen' }, 'Method'),
      ...choices.map(({ element }) => element),
    ),
    show(shown: Method) {
      for (const { kind, input } of choices) input.checked = kind === shown;
    },
  };
}

/** The choice of a ratio: any, the original's, the layout's, common ones, and a typed one. */
export function createShapes(given: {
  original: Size;
  layout: Size | undefined;
  onChange(ratio: number | string | undefined): void;
}) {
  const { original, layout, onChange } = given;
  const ofSize = (label: string, size: Size | undefined) => {
    const ratio = size && formatRatio(size);
    return ratio === undefined ? [] : [{ label, ratio }];
  };
  const options: readonly { label: string; ratio: string | undefined }[] = [
    { label: 'Free', ratio: undefined },
    ...ofSize('Original', original),
    ...ofSize('Layout', layout),
    ...commonRatios.map((ratio) => ({ label: ratio, ratio })),
  ];
  /** The author's choice, as the layout can have a common ratio. */
  let chosen: HTMLInputElement | undefined;
  const choices = options.map(({ label, ratio }) => {
    const choice = createChoice('media-asset-shape', [shapeSign(ratio), label], () => {
      chosen = choice.input;
      onChange(ratio);
    });
    return { ...choice, ratio };
  });

  const asIs = { autocomplete: 'off', spellcheck: 'false' };
  const typed = createElement('input', { type: 'text', placeholder: '21:9', ...asIs });
  const problem = createProblem('media-asset-ratio-problem');
  typed.addEventListener('change', () => {
    const ratio = readAspect(typed.value);
    if (ratio !== undefined) return onChange(ratio);
    problem.show(typed, 'Type a ratio such as 16:9 or 1.5, from 0.001 to 1000.');
  });

  const fixedNote = createElement('p', { class: 'hint' });
  const choice = createElement(
    'div',
    { class: 'choices' },
    ...choices.map(({ element }) => element),
    createElement('label', { class: 'typed' }, createElement('span', {}, 'Ratio'), typed),
  );
  return {
    element: createElement(
      'fieldset',
      { class: 'shapes' },
      createElement('legend', {}, 'Shape'),
      choice,
      problem.element,
      fixedNote,
    ),
    /**
     * @param ratio in use; `undefined` for any
     * @param needsRatio whether a ratio is needed, as a cut around a focus point does
     * @param fixed the source's own ratio, which can't be changed here
     */
    show(
      ratio: number | string | undefined,
      { needsRatio, fixed }: { needsRatio: boolean; fixed: number | string | undefined },
    ) {
      problem.show(typed, undefined);
      choice.hidden = fixed !== undefined;
      fixedNote.hidden = fixed === undefined;
      fixedNote.textContent = `The source sets aspect ${fixed}. Every crop keeps it.`;
      const value = parseAspect(ratio);
      const fitting = choices.filter((one) => parseAspect(one.ratio) === value);
      const found = fitting.find(({ input }) => input === chosen) ?? fitting[0];
      for (const one of choices) {
        one.input.checked = one === found;
        one.element.hidden = needsRatio && one.ratio === undefined;
      }
      typed.value = found === undefined && ratio !== undefined ? String(ratio) : '';
    },
  };
}

function createChoice(name: string, label: readonly (Node | string)[], onChoose: () => void) {
  const input = createElement('input', { type: 'radio', name });
  input.addEventListener('change', onChoose);
  const content = createElement('span', {}, ...label);
  return { input, element: createElement('label', { class: 'choice' }, input, content) };
}

function shapeSign(ratio: string | undefined): HTMLElement {
  const sign = createElement('i', { class: ratio === undefined ? 'sign free' : 'sign' });
  sign.style.aspectRatio = String(parseAspect(ratio) ?? 1);
  return sign;
}

type Side = keyof Rectangle;

const names: Readonly<Record<Side, string>> = { x: 'X', y: 'Y', width: 'Width', height: 'Height' };

export function createNumbers(original: Size, onChange: (rectangle: Rectangle) => void) {
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
