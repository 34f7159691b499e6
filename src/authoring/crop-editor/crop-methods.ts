import { createElement } from './create-element.ts';
import type { OwnState } from './crop-state.ts';

type Kind = OwnState['kind'];

const labels: Readonly<Record<Kind, string>> = {
  drawn: 'Draw a crop',
  focus: 'Cut around a focus point',
};

/** The choice between a drawn crop and a cut around a focus point. */
export function createMethods(onChange: (kind: Kind) => void) {
  const choices = (Object.keys(labels) as Kind[]).map((kind) => {
    const input = createElement('input', { type: 'radio', name: 'media-asset-method' });
    input.addEventListener('change', () => onChange(kind));
    return { kind, input };
  });
  return {
    element: createElement(
      'fieldset',
      { class: 'methods' },
      createElement('legend', { class: 'unseen' }, 'Method'),
      ...choices.map(({ kind, input }) =>
        createElement('label', { class: 'choice' }, input, createElement('span', {}, labels[kind])),
      ),
    ),
    show(kind: Kind) {
      for (const choice of choices) choice.input.checked = choice.kind === kind;
    },
  };
}
