/** Draws a crop on an asset's page, and copies it as source code. Numbers are pixels of the original. */

const sides = ['x', 'y', 'width', 'height'];
const frame = document.querySelector('[data-crop]');

if (frame !== null) startCrop();

function startCrop() {
  const tools = document.querySelector('[data-crop-tools]');
  const rectangle = frame.querySelector('[data-rectangle]');
  const announcer = document.querySelector('[data-announcer]');
  const { id, width, height } = frame.dataset;
  const { alt } = frame.querySelector('img');
  const most = { width: Number(width), height: Number(height) };
  const inputs = sides.map((side) => tools.querySelector(`input[name=${side}]`));
  let crop = { x: 0, y: 0, ...most };

  function show(wanted) {
    crop = inside(wanted, most);
    for (const [index, side] of sides.entries()) inputs[index].value = crop[side];
    rectangle.style.left = `${(100 * crop.x) / most.width}%`;
    rectangle.style.top = `${(100 * crop.y) / most.height}%`;
    rectangle.style.width = `${(100 * crop.width) / most.width}%`;
    rectangle.style.height = `${(100 * crop.height) / most.height}%`;
    for (const [name, text] of Object.entries(snippets({ id, alt }, crop)))
      tools.querySelector(`[data-snippet=${name}]`).textContent = text;
  }

  /** Stays at its top left corner. */
  function resized({ x, y, width, height }, [dx, dy]) {
    const sides = [Math.min(width + dx, most.width - x), Math.min(height + dy, most.height - y)];
    return { x, y, width: sides[0], height: sides[1] };
  }

  /** The pixel of the original below a pointer. */
  function pixelAt({ clientX, clientY }) {
    const box = frame.getBoundingClientRect();
    return {
      x: ((clientX - box.left) / box.width) * most.width,
      y: ((clientY - box.top) / box.height) * most.height,
    };
  }

  /** A drag moves the rectangle, resizes it at its handle, or draws a new one elsewhere. */
  frame.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const start = pixelAt(event);
    const before = crop;
    const isWhole = crop.width === most.width && crop.height === most.height;
    const moves = event.target === rectangle && !isWhole;
    const resizes = event.target.matches('[data-handle]');
    const drag = (moved) => {
      const now = pixelAt(moved);
      const way = [now.x - start.x, now.y - start.y];
      if (moves) show(shifted(before, way));
      else show(resizes ? resized(before, way) : between(start, now));
    };
    const ended = new AbortController();
    frame.setPointerCapture(event.pointerId);
    frame.addEventListener('pointermove', drag, ended);
    for (const end of ['pointerup', 'pointercancel'])
      frame.addEventListener(end, () => ended.abort(), ended);
    rectangle.focus({ preventScroll: true });
  });

  /** Arrow keys move by a pixel, with Shift they resize, with Ctrl by 10 pixels. */
  rectangle.addEventListener('keydown', (event) => {
    const step = event.ctrlKey ? 10 : 1;
    const way = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    show(event.shiftKey ? resized(crop, way) : shifted(crop, way));
    announcer.textContent = sides.map((side) => `${side} ${crop[side]}`).join(', ');
  });

  tools.addEventListener('change', () =>
    show(Object.fromEntries(sides.map((side, index) => [side, inputs[index].valueAsNumber || 0]))),
  );

  tools.addEventListener('click', async ({ target }) => {
    const button = target.closest('[data-copies]');
    if (button === null) return;
    const text = tools.querySelector(`[data-snippet=${button.dataset.copies}]`).textContent;
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    announcer.textContent = done
      ? button.textContent.replace('Copy', 'Copied')
      : "The browser doesn't allow copying";
  });

  tools.hidden = false;
  rectangle.hidden = false;
  show(crop);
}

function shifted(crop, [dx, dy]) {
  return { ...crop, x: crop.x + dx, y: crop.y + dy };
}

/** The rectangle with these opposite corners. */
function between(one, other) {
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  };
}

/** The nearest rectangle of whole pixels in the image. */
function inside(wanted, most) {
  const limit = (value, least, limit) => Math.round(Math.min(Math.max(value, least), limit));
  const x = limit(wanted.x, 0, most.width - 1);
  const y = limit(wanted.y, 0, most.height - 1);
  const width = limit(wanted.width, 1, most.width);
  const height = limit(wanted.height, 1, most.height);
  return {
    x: Math.min(x, most.width - width),
    y: Math.min(y, most.height - height),
    width,
    height,
  };
}

/** The code of the guides. The title is a first `alt`. */
function snippets({ id, alt }, { x, y, width, height }) {
  const crop = `{ x: ${x}, y: ${y}, width: ${width}, height: ${height} }`;
  return {
    astro: `<MediaAsset id={${id}} crop={${crop}} alt="${alt.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" />`,
    markdown: `![${alt.replaceAll(/[\\[\]]/g, '\\$&')}](media:${id}?crop=${x},${y},${width},${height})`,
    frontmatter: `hero:\n  id: ${id}\n  alt: ${JSON.stringify(alt)}\n  crop: ${crop}`,
  };
}
