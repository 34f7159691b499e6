/** Updates usages without a reload. The pages also work without this script. */

import './crop.js';

const region = document.querySelector('[data-live]');
const announcer = document.querySelector('[data-announcer]');
const connection = document.querySelector('[data-connection]');

let loading = new AbortController();

/** Reloads the live region and announces its count to screen readers. */
async function refresh() {
  loading.abort();
  loading = new AbortController();
  try {
    const response = await fetch(location.href, { signal: loading.signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const wanted = page.querySelector('[data-live]');
    if (wanted === null) return;
    if (!region.isEqualNode(wanted)) replace(wanted);
    showConnection('live');
  } catch (error) {
    if (error.name !== 'AbortError') showConnection('lost');
  }
}

function replace(wanted) {
  const focused = region.contains(document.activeElement) && document.activeElement.href;
  region.replaceChildren(...wanted.childNodes);
  if (focused) [...region.querySelectorAll('a')].find(({ href }) => href === focused)?.focus();
  announcer.textContent = region.querySelector('[data-count]')?.textContent ?? '';
}

function showConnection(state) {
  connection.hidden = false;
  connection.dataset.connection = state;
  connection.textContent = state === 'live' ? 'Live' : "The emulator doesn't answer";
}

/** Listens only while the page is visible, because browsers allow few connections per server. */
function listen() {
  let changes;
  const update = () => {
    changes?.close();
    if (document.hidden) return;
    changes = new EventSource('/page/changes');
    // Something may have changed while disconnected.
    changes.addEventListener('open', refresh);
    changes.addEventListener('usages', refresh);
    changes.addEventListener('error', () => showConnection('lost'));
  };
  document.addEventListener('visibilitychange', update);
  update();
}

if (region !== null) listen();
