import { parseAspect } from '../../assets/geometry/fit-image.ts';
import type { Size } from '../../assets/geometry/rectangle.ts';
import { adoptStyles } from './adopt-styles.ts';
import { createButton, createElement } from './create-element.ts';
import { createMethods, createNumbers, createShapes } from './crop-controls.ts';
import { nearestRatio, wholeImage } from './crop-geometry.ts';
import { createPreview, createShapeList, paintPart, pixels } from './crop-preview.ts';
import { createStage, type StageChange } from './crop-stage.ts';
import * as states from './crop-state.ts';
import { cropStyles } from './crop-styles.ts';
import { createTabs } from './tabs.ts';

export interface CropEditorOptions extends states.GivenCuts {
  /** URL of the whole image, as displayed. */
  readonly image: string;
  /** The original's size as displayed, in pixels. */
  readonly original: Size;
  /** The page's size of the image, and its published widths, in pixels. */
  readonly layout?: (Size & { readonly widths: readonly number[] }) | undefined;
  /** Their shapes are shown too. */
  readonly presets?: states.PresetShapes | undefined;
  readonly saveLabel: string;
  /** What an author had drawn before a reload, for the image and its `sources`, and what to say then. */
  readonly kept?:
    | { readonly states: readonly states.CropState[]; readonly notice: string }
    | undefined;
  /** Gets what's drawn, after each change. */
  onDraw?: ((states: readonly states.CropState[]) => void) | undefined;
  /** Gets what changed, which can be nothing. The editor shows the message of a rejection. */
  onSave(change: states.CropChange): Promise<void>;
  onCancel(): void;
}

/** Opens the crop editor as a modal dialog in a host, which gets the styles, until it's closed. */
export function openCropEditor(
  host: HTMLElement | ShadowRoot,
  options: CropEditorOptions,
): { close(): void } {
  const { image, original, layout, presets = {} } = options;
  const cuts = states.createCuts(options);
  const [defaultCut] = cuts;
  let cut = defaultCut;
  /** A tiny crop that the author has been asked about. */
  let agreed: states.CropState | undefined;
  /** What a pointer that's still down shows. */
  let draft: states.OwnState | undefined;

  const ownState = (state: states.CropState): states.OwnState => {
    if (state.kind !== 'inherited') return state;
    const rectangle = states.rectangleOf(defaultCut.history.now() as states.OwnState, original);
    return { kind: 'drawn', rectangle, lock: undefined };
  };
  const shown = () => draft ?? ownState(cut.history.now());

  const commit = (state: states.CropState, amend = false) => {
    draft = undefined;
    const isNew = JSON.stringify(state) !== JSON.stringify(cut.history.now());
    if (isNew) cut.history.add(state, { amend });
    update();
    if (isNew) announce();
    if (isNew) options.onDraw?.(cuts.map(({ history }) => history.now()));
  };
  const onStageChange = (state: states.OwnState, change: StageChange) => {
    if (change === 'done' || change === 'repeated') return commit(state, change === 'repeated');
    draft = change === 'dragging' ? state : undefined;
    update();
  };

  const stage = createStage({ image, original, onChange: onStageChange });
  const preview = createPreview({ image, original });
  const shapeList = createShapeList(presets, { image, original });
  const numbers = createNumbers(original, (rectangle) =>
    commit({ ...shown(), ...states.drawn(rectangle, shown().lock) }),
  );
  const ownShapes = [options.aspect, ...Object.values(presets).map(({ aspect }) => aspect)];
  const shapes = createShapes(ownShapes, (ratio) =>
    commit(states.withRatio(shown(), ratio, original)),
  );
  const methods = createMethods((kind) => {
    const state = shown();
    if (kind === state.kind) return;
    const last = cut.history.last(kind);
    const nearest = nearestRatio(layout ?? states.rectangleOf(state, original));
    const { lock } = (kind === 'drawn' ? state : last) ?? { lock: options.aspect ?? nearest };
    const other = (one: states.OwnState) => states.withOtherMethod(one, lock, original);
    // A look at the other method changes nothing.
    const isLook = last && JSON.stringify(other(last)) === JSON.stringify(state);
    commit(isLook ? last : other(state));
  });

  const travel = (by: -1 | 1) => {
    draft = undefined;
    cut.history.travel(by);
    update();
    announce();
  };
  const undo = createButton('Undo', () => travel(-1));
  const redo = createButton('Redo', () => travel(1));
  const reset = createButton('Reset', () => commit(states.startState(cut)));
  const whole = createButton('Whole image', () => {
    const fixed = cut.isSource ? cut.given.aspect : undefined;
    const point = states.pointOf(shown(), original);
    commit(
      states.withRatio(
        { ...states.drawn(wholeImage(original), undefined), point },
        fixed,
        original,
      ),
    );
  });
  const inherit = createButton('Use the default crop', () => commit({ kind: 'inherited' }));
  const cancel = createButton('Cancel', () => options.onCancel());
  const save = createButton(options.saveLabel, () => void submit(), 'primary');

  const focusHint = createElement('p', { class: 'hint' });
  const status = createElement('p', { class: 'unseen', role: 'status' });
  const failure = createElement('p', { class: 'failure', role: 'alert', hidden: '' });
  const panel = createElement(
    'div',
    { class: 'panel' },
    methods.element,
    focusHint,
    shapes.element,
    numbers.element,
    createElement('div', { class: 'actions' }, undo, redo, reset, whole, inherit),
    preview.element,
    shapeList.element,
    stage.help,
  );
  const title = createElement('h2', { id: 'media-asset-crop-title' }, 'Crop');
  const body = createElement(
    'div',
    { class: 'body', id: 'media-asset-crop-body' },
    stage.element,
    panel,
  );
  const onSelect = (chosen: states.Cut) => {
    cut = chosen;
    draft = undefined;
    update();
  };
  const pictures = new Map(cuts.map((one) => [one, createElement('i', { class: 'part-image' })]));
  const tabOptions = { label: 'Crops', panel: body, pictures, onSelect };
  const tabs = cuts.length > 1 ? createTabs(cuts, tabOptions) : undefined;
  const dialog = createElement(
    'dialog',
    {
      lang: 'en',
      dir: 'ltr',
      class: 'media-asset-crop',
      'aria-modal': 'true',
      'aria-labelledby': title.id,
    },
    createElement(
      'div',
      { class: 'head' },
      title,
      tabs?.element,
      createElement('div', { class: 'finish' }, cancel, save),
    ),
    failure,
    body,
    status,
  );

  function update(): void {
    const state = shown();
    const saved = draft ?? cut.history.now();
    const rectangle = states.rectangleOf(state, original);
    const lock = state.lock;
    const fixed = cut.isSource ? cut.given.aspect : undefined;
    stage.show(state, rectangle);
    preview.show(rectangle, cut.isSource ? undefined : layout);
    numbers.show(rectangle, parseAspect(lock));
    numbers.element.hidden = state.kind === 'focus';
    shapes.show(lock, fixed);
    shapeList.show((shape) =>
      states.inShape(state, cut, { shape, own: presets[options.preset ?? ''] }),
    );
    shapeList.element.hidden = cut.isSource || shapeList.isEmpty;
    methods.show(state.kind);
    methods.element.hidden = cut.isSource;
    focusHint.textContent = hintOf(saved, state);
    focusHint.hidden = focusHint.textContent === '';
    setDisabled(undo, !cut.history.can(-1));
    setDisabled(redo, !cut.history.can(1));
    setDisabled(reset, !cut.history.can(-1));
    inherit.hidden = !cut.isSource || (cut.given.aspect ?? cut.given.focus) !== undefined;
    setDisabled(inherit, saved.kind === 'inherited');
    tabs?.show(cut);
    for (const [one, picture] of pictures) {
      // What the author is drawing counts already.
      const part =
        one === cut ? rectangle : states.rectangleOf(ownState(one.history.now()), original);
      paintPart(picture, part, { image, original, scale: 48 / Math.max(part.width, part.height) });
    }
  }

  function announce(): void {
    const state = shown();
    const { x, y, width, height } = states.rectangleOf(state, original);
    const percent = { x: 0, y: 0, width: 100, height: 100 };
    const at = state.kind === 'focus' ? states.pixelsOf(state.focus, percent) : undefined;
    const within = at && 'area' in state && state.area ? ' of the crop. Shows' : '. Crop';
    const from = (share: number, side: string) => `${share.toFixed()} percent from the ${side}`;
    const focus = at && `Focus ${from(at.x, 'left')}, ${from(at.y, 'top')}${within}`;
    status.textContent = `${focus ?? 'Crop'} ${pixels(width)} by ${pixels(height)} pixels, ${pixels(x)} from the left, ${pixels(y)} from the top.`;
  }

  async function submit(): Promise<void> {
    if (save.ariaDisabled) return;
    const small = cuts.map(({ history }) => history.now()).find(isTiny);
    if (small && small !== agreed) {
      agreed = small;
      return showFailure(
        `A crop has less than ${leastSide} pixels on a side. Save again to keep it.`,
      );
    }
    failure.hidden = true;
    setDisabled(save, true);
    try {
      await options.onSave(states.savedChange(cuts));
    } catch (error) {
      showFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setDisabled(save, false);
    }
  }

  function showFailure(message: string): void {
    failure.textContent = message;
    failure.hidden = false;
  }

  dialog.addEventListener('keydown', (event) => {
    // The page and the toolbar have shortcuts of their own.
    event.stopPropagation();
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (key === 'escape') {
      event.preventDefault();
      options.onCancel();
    } else if (key === 'enter' && (event.target as Element).role === 'application') {
      event.preventDefault();
      void submit();
    } else if (command && (key === 'z' || key === 'y')) {
      event.preventDefault();
      travel(key === 'y' || event.shiftKey ? 1 : -1);
    }
  });
  dialog.addEventListener('keyup', (event) => event.stopPropagation());
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    options.onCancel();
  });

  const removeStyles = adoptStyles(host, cropStyles);
  host.append(dialog);
  for (const [index, state] of options.kept?.states.entries() ?? [])
    cuts[index]?.history.add(state, { amend: false });
  if (options.kept) showFailure(options.kept.notice);
  update();
  dialog.showModal();
  stage.focus();
  return {
    close() {
      stage.close();
      dialog.close();
      dialog.remove();
      removeStyles();
    },
  };
}

/** A smaller crop is rarely meant, in pixels. */
const leastSide = 16;

function isTiny(state: states.CropState): boolean {
  if (state.kind === 'inherited') return false;
  const area = state.kind === 'drawn' ? state.rectangle : state.area;
  return area !== undefined && Math.min(area.width, area.height) < leastSide;
}

/** Keeps the button's focus, which the attribute `disabled` would take away. Its click does nothing. */
function setDisabled(button: HTMLElement, disabled: boolean): void {
  button.ariaDisabled = disabled ? 'true' : null;
}

function hintOf(saved: states.CropState, state: states.OwnState): string {
  if (saved.kind === 'inherited') return 'Shows the default crop. Draw to give it its own.';
  if (state.kind !== 'focus') return '';
  return state.focus === 'attention'
    ? 'The build finds what draws the eye. Here you see the middle. Drag the point to choose it yourself.'
    : `Drag the point to what matters. The cut stays as close to it as the ${state.area ? 'crop' : 'image'} allows.`;
}
