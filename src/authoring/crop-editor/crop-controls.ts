import { parseAspect } from '../../assets/geometry/fit-image.ts';
import type { Rectangle, Size } from '../../assets/geometry/rectangle.ts';
import { createElement } from './create-element.ts';
import { clampRectangle, commonRatios, sameRectangle, sizeIn } from './crop-geometry.ts';
import type { Aspect, OwnState } from './crop-state.ts';

type Method = OwnState['kind'];

const methods = { drawn: 'Draw a crop', focus: 'Cut around a focus point' };

export function createMethods(onChange: (kind: Method) => void) {
  const choices = (Object.keys(methods) as Method[]).map((kind) => ({
    ...createChoice('media-asset-method', [methods[kind]], () => onChange(kind)),
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

/** The choice of a ratio: any, a common one, or one of the site's own. */
export function createShapes(own: readonly Aspect[], onChange: (ratio: Aspect) => void) {
  const ratios = [undefined, ...commonRatios, ...own];
  const values = ratios.map((ratio) => parseAspect(ratio));
  const different = ratios.filter((_, at) => values.indexOf(values[at]) === at);
  const choices = different.map((ratio) => {
    const label = [shapeSign(ratio), String(ratio ?? 'Free')];
    return { ratio, ...createChoice('media-asset-shape', label, () => onChange(ratio)) };
  });
  const fixedNote = createElement('p', { class: 'hint' });
  const choice = createElement(
    'div',
    { class: 'choices' },
    ...choices.map(({ element }) => element),
  );
  return {
    element: createElement(
      'fieldset',
      { class: 'shapes' },
      createElement('legend', {}, 'Shape'),
      choice,
      fixedNote,
    ),
    /**
     * @param ratio in use; `undefined` for any
     * @param fixed the source's own ratio, which can't be changed here
     */
    show(ratio: Aspect, fixed: Aspect) {
      choice.hidden = fixed !== undefined;
      fixedNote.hidden = fixed === undefined;
      fixedNote.textContent = `The source sets aspect ${fixed}. Every crop keeps it.`;
      for (const one of choices) one.input.checked = parseAspect(one.ratio) === parseAspect(ratio);
    },
  };
}

function createChoice(name: string, label: readonly (Node | string)[], onChoose: () => void) {
  const input = createElement('input', { type: 'radio', name });
  input.addEventListener('change', onChoose);
  const content = createElement('span', {}, ...label);
  return { input, element: createElement('label', { class: 'choice' }, input, content) };
}

function shapeSign(ratio: Aspect): HTMLElement {
  const sign = createElement('i', { class: ratio === undefined ? 'sign free' : 'sign' });
  sign.style.aspectRatio = String(parseAspect(ratio) ?? 1);
  return sign;
}

type Edge = keyof Rectangle;

const names: Readonly<Record<Edge, string>> = { x: 'X', y: 'Y', width: 'Width', height: 'Height' };

export function createNumbers(original: Size, onChange: (rectangle: Rectangle) => void) {
  let rectangle: Rectangle = { x: 0, y: 0, ...original };
  let ratio: number | undefined;
  const inputs = (Object.keys(names) as Edge[]).map((side) => {
    const input = createElement('input', { type: 'number', step: '1', 'data-side': side });
    input.addEventListener('change', () => {
      const next = withSide(side, Math.round(input.valueAsNumber));
      // The nearest value that is possible.
      input.value = String(next[side]);
      if (!sameRectangle(next, rectangle)) onChange(next);
    });
    return { side, input };
  });

  function withSide(side: Edge, value: number): Rectangle {
    if (Number.isNaN(value)) return rectangle;
    const next = clampRectangle({ ...rectangle, [side]: value }, original);
    if (ratio === undefined || side === 'x' || side === 'y') return next;
    const room = { width: original.width - next.x, height: original.height - next.y };
    const width = side === 'width' ? next.width : next.height * ratio;
    return { ...next, ...sizeIn(room, width, ratio) };
  }

  return {
    element: createElement(
      'fieldset',
      { class: 'numbers' },
      createElement('legend', {}, 'Pixels of the original'),
      ...inputs.map(({ side, input }) =>
        createElement('label', {}, createElement('span', {}, names[side]), input),
      ),
    ),
    show(next: Rectangle, nextRatio: number | undefined) {
      rectangle = next;
      ratio = nextRatio;
      for (const { side, input } of inputs) {
        const value = String(rectangle[side]);
        if (input.value !== value) input.value = value;
      }
    },
  };
}
