/** Shows changes of usages without a reload. Without this script the pages work with one. */

const region = document.querySelector('[data-live]');
const announcer = document.querySelector('[data-announcer]');
const connection = document.querySelector('[data-connection]');

let loading = new AbortController();

/** Shows the live region as the server has it now, and tells screen readers its count. */
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
  connection.textContent = state === 'live' ? 'Live' : 'The emulator does not answer';
}

/** Listens while the page is seen: a browser has few connections for each server. */
function listen() {
  let changes;
  const update = () => {
    changes?.close();
    if (document.hidden) return;
    changes = new EventSource('/page/changes');
    // Something may have changed while there was no connection.
    changes.addEventListener('open', refresh);
    changes.addEventListener('usages', refresh);
    changes.addEventListener('error', () => showConnection('lost'));
  };
  document.addEventListener('visibilitychange', update);
  update();
}

if (region !== null) listen();
