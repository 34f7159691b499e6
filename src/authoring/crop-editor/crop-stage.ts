import { parseAspect } from '../../assets/geometry/fit-image.ts';
import type { Point, Rectangle, Size } from '../../assets/geometry/rectangle.ts';
import { createElement } from './create-element.ts';
import * as geometry from './crop-geometry.ts';
import { areaOf, drawn, focusAt, type OwnState, pixelsOf } from './crop-state.ts';

/** `dragging`: the pointer is still down. `repeated`: the key is held down. `dropped`: a drag ends without a change. */
export type StageChange = 'dragging' | 'done' | 'repeated' | 'dropped';

/** In screen pixels. Less is a click. */
const leastDrag = 4;

const handles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];

function handleOf(name: string): geometry.Handle {
  const side = (most: string, least: string) =>
    name.includes(most) ? 1 : name.includes(least) ? -1 : 0;
  return { across: side('e', 'w'), down: side('s', 'n') };
}

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** What a pointer at a point of the original makes of the state. */
type Drag = (to: Point) => OwnState;

const keys: readonly (readonly [string, string])[] = [
  ['Arrows', 'move by 1 px'],
  ['Ctrl or Alt + arrows', 'move by 10 px'],
  ['Shift + arrows', 'resize'],
  ['Ctrl + Z', 'undo'],
  ['Shift + Ctrl + Z', 'redo'],
  ['Enter', 'save'],
  ['Escape', 'cancel'],
];

/** The image with the crop on it, which pointers and keys change. */
export function createStage(options: {
  image: string;
  original: Size;
  onChange(state: OwnState, change: StageChange): void;
}) {
  const { image, original, onChange } = options;
  const about = { role: 'application', tabindex: '0', 'aria-describedby': 'media-asset-crop-keys' };
  const target = (name: string, label: string) =>
    createElement('div', { ...about, class: name, 'aria-label': label });
  const box = target('box', 'Crop');
  const focusPoint = target('focus-point', 'Focus point');
  for (const name of handles)
    box.append(createElement('span', { class: 'handle', 'data-handle': name }));
  const imageElement = createElement('img', { src: image, alt: '', draggable: 'false' });
  const shade = createElement('div', { class: 'shade' });
  const areaOutline = createElement('div', { class: 'area' });
  const frame = createElement(
    'div',
    { class: 'frame' },
    createElement('div', { class: 'image' }, imageElement, shade),
    areaOutline,
    box,
    focusPoint,
  );
  const element = createElement('div', { class: 'stage' }, frame);
  const help = createElement(
    'section',
    { class: 'keys' },
    createElement('h3', {}, 'Keys'),
    createElement(
      'ul',
      { id: 'media-asset-crop-keys' },
      ...keys.map(([key, effect]) =>
        createElement('li', {}, createElement('kbd', {}, key), ` ${effect}`),
      ),
    ),
  );

  let state: OwnState | undefined;
  let rectangle = geometry.wholeImage(original);
  /** Screen pixels per pixel of the original. The whole image fits. */
  let scale = 1;

  const place = () => {
    const at = (part: HTMLElement, { x, y, width, height }: Rectangle) => {
      part.style.translate = `${x * scale}px ${y * scale}px`;
      part.style.width = `${width * scale}px`;
      part.style.height = `${height * scale}px`;
    };
    frame.style.width = `${original.width * scale}px`;
    frame.style.height = `${original.height * scale}px`;
    at(shade, rectangle);
    at(box, rectangle);
    const small = Math.min(rectangle.width, rectangle.height) * scale < 56;
    box.classList.toggle('small', small);
    const inFocus = state?.kind === 'focus';
    box.classList.toggle('still', inFocus);
    box.tabIndex = inFocus ? -1 : 0;
    focusPoint.hidden = !inFocus;
    areaOutline.hidden = state?.kind !== 'focus' || state.area === undefined;
    if (state?.kind !== 'focus') return;
    const area = areaOf(state, original);
    at(areaOutline, area);
    const { x, y } = pixelsOf(state.focus, area);
    focusPoint.style.translate = `${x * scale}px ${y * scale}px`;
  };

  const observer = new ResizeObserver(() => {
    const style = getComputedStyle(element);
    const width = element.clientWidth - 2 * Number.parseFloat(style.paddingLeft);
    const height = element.clientHeight - 2 * Number.parseFloat(style.paddingTop);
    scale = Math.min(1, width / original.width, height / original.height);
    place();
  });
  observer.observe(element);

  const pointIn = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top } = frame.getBoundingClientRect();
    return { x: (clientX - left) / scale, y: (clientY - top) / scale };
  };

  frame.addEventListener('pointerdown', (down) => {
    if (down.button !== 0 || !down.isPrimary || state === undefined) return;
    down.preventDefault();
    frame.setPointerCapture(down.pointerId);
    const before = state;
    const drag = startDrag(before, { rectangle, original, from: pointIn(down), on: down.target });
    let moved = before.kind === 'focus';
    (before.kind === 'focus' ? focusPoint : box).focus({ preventScroll: true });
    if (moved) onChange(drag(pointIn(down)), 'dragging');
    const end = new AbortController();
    type PointerStep = 'pointermove' | 'pointerup' | 'pointercancel';
    const on = (name: PointerStep, take: (event: PointerEvent) => void) => {
      const takeOwn = (event: PointerEvent) => event.pointerId === down.pointerId && take(event);
      frame.addEventListener(name, takeOwn, { signal: end.signal });
    };
    on('pointermove', (move) => {
      moved ||= Math.hypot(move.clientX - down.clientX, move.clientY - down.clientY) >= leastDrag;
      if (moved) onChange(drag(pointIn(move)), 'dragging');
    });
    on('pointerup', (up) => {
      end.abort();
      if (moved) onChange(drag(pointIn(up)), 'done');
    });
    on('pointercancel', () => {
      end.abort();
      onChange(before, 'dropped');
    });
  });

  frame.addEventListener('keydown', (event) => {
    const arrow = arrows[event.key];
    if (arrow === undefined || state === undefined) return;
    event.preventDefault();
    const step = event.ctrlKey || event.altKey ? 10 : 1;
    const by = { x: arrow.x * step, y: arrow.y * step };
    const change = event.repeat ? 'repeated' : 'done';
    const next = pressArrow(state, { by, resizes: event.shiftKey, original });
    if (next !== undefined) onChange(next, change);
  });

  const focus = () => (state?.kind === 'focus' ? focusPoint : box).focus({ preventScroll: true });

  return {
    element,
    help,
    show(next: OwnState, part: Rectangle) {
      const hadFocus = [box, focusPoint].some((one) => one.matches(':focus'));
      state = next;
      rectangle = part;
      place();
      if (hadFocus) focus();
    },
    /** Puts the keyboard's focus on the rectangle, or on the focus point. */
    focus,
    close: () => observer.disconnect(),
  };
}

function startDrag(
  state: OwnState,
  start: { rectangle: Rectangle; original: Size; from: Point; on: EventTarget | null },
): Drag {
  const { rectangle, original, from, on } = start;
  if (state.kind === 'focus')
    return (to) => ({ ...state, focus: focusAt(to, areaOf(state, original)) });
  const { lock } = state;
  const redrawn = (next: Rectangle) => ({ ...state, ...drawn(next, lock) });
  const ratio = parseAspect(lock);
  const element = on instanceof HTMLElement ? on : undefined;
  const name = element?.dataset.handle;
  if (name !== undefined) {
    const handle = handleOf(name);
    // The pointer rarely hits the edge itself. The distance stays while it moves.
    const edge = {
      x: rectangle.x + (handle.across > 0 ? rectangle.width : 0),
      y: rectangle.y + (handle.down > 0 ? rectangle.height : 0),
    };
    const toEdge = (to: Point) => ({ x: to.x - from.x + edge.x, y: to.y - from.y + edge.y });
    return (to) =>
      redrawn(
        geometry.resizeRectangle(rectangle, { handle, to: toEdge(to), image: original, ratio }),
      );
  }
  const canMove = !geometry.sameRectangle(rectangle, geometry.wholeImage(original));
  if (element?.classList.contains('box') && canMove) {
    return (to) =>
      redrawn(geometry.moveRectangle(rectangle, { x: to.x - from.x, y: to.y - from.y }, original));
  }
  return (to) => redrawn(geometry.drawRectangle(from, { to, image: original, ratio }));
}

function pressArrow(
  state: OwnState,
  { by, resizes, original }: { by: Point; resizes: boolean; original: Size },
): OwnState | undefined {
  if (state.kind === 'focus') {
    if (resizes) return undefined;
    const area = areaOf(state, original);
    const { x, y } = pixelsOf(state.focus, area);
    return { ...state, focus: focusAt({ x: x + by.x, y: y + by.y }, area) };
  }
  const { rectangle, lock } = state;
  const ratio = parseAspect(lock);
  const next = resizes
    ? geometry.growRectangle(rectangle, { by, image: original, ratio })
    : geometry.moveRectangle(rectangle, by, original);
  return { ...state, ...drawn(next, lock) };
}
