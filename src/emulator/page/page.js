/**
 * What the emulator's pages do beyond links and forms: search while typing, show changes of usages
 * without a reload, copy an id. All that is shown is the server's HTML; without this script the
 * pages work with a reload.
 */

const region = document.querySelector('[data-live]');
const announcer = document.querySelector('[data-announcer]');
const connection = document.querySelector('[data-connection]');
const form = document.querySelector('[data-filter]');

let loading = new AbortController();

/** Shows the live region as the server has it at an address, and says its count if that is new. */
async function refresh(address) {
  loading.abort();
  loading = new AbortController();
  try {
    const response = await fetch(address, { signal: loading.signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const wanted = page.querySelector('[data-live]');
    if (wanted === null) return;
    const before = summary();
    document.title = page.title;
    morph(region, wanted);
    if (summary() !== before) announcer.textContent = summary();
    showConnection('live');
  } catch (error) {
    if (error.name !== 'AbortError') showConnection('lost');
  }
}

function summary() {
  return (region.querySelector('.empty p, .empty') ?? region.querySelector('[data-count]'))
    ?.textContent;
}

/**
 * Makes an element equal to another. What is equal already stays, with its focus and its loaded
 * pictures; elements with a key are known by it, and marked where they are new.
 */
function morph(current, wanted) {
  if (current.isEqualNode(wanted)) return;
  for (const { name, value } of wanted.attributes) current.setAttribute(name, value);
  for (const { name } of [...current.attributes])
    if (!wanted.hasAttribute(name)) current.removeAttribute(name);

  const wantedKeys = new Set([...wanted.children].map(keyOf));
  for (const child of [...current.children]) if (!wantedKeys.has(keyOf(child))) child.remove();
  const known = new Map([...current.children].map((child) => [keyOf(child), child]));

  let place = current.firstChild;
  for (const node of [...wanted.childNodes]) {
    const key = keyOf(node);
    const alike = place?.nodeName === node.nodeName && keyOf(place) === undefined;
    const match = key === undefined ? (alike ? place : undefined) : known.get(key);
    if (match === undefined) {
      current.insertBefore(node, place);
      if (key !== undefined) node.classList.add('fresh');
      continue;
    }
    if (match === place) place = place.nextSibling;
    else current.insertBefore(match, place);
    if (match.nodeType === Node.ELEMENT_NODE) morph(match, node);
    else if (match.data !== node.data) match.data = node.data;
  }
  while (place !== null) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function keyOf(node) {
  return node.dataset?.key;
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
    changes = undefined;
    if (document.hidden) return;
    changes = new EventSource('/page/changes');
    // Something may have changed while there was no connection.
    changes.addEventListener('open', () => refresh(location.href));
    changes.addEventListener('usages', () => refresh(location.href));
    changes.addEventListener('error', () => showConnection('lost'));
  };
  document.addEventListener('visibilitychange', update);
  update();
}

/** The library's address for what the form says; fields at their first choice are left out. */
function formAddress() {
  const search = new URLSearchParams();
  for (const field of form.elements) {
    const value = field.value.trim();
    if (field.name && value && (field.selectedIndex ?? 1) > 0) search.set(field.name, value);
  }
  return search.size === 0 ? '/' : `/?${search}`;
}

function searchWhileTyping() {
  let waiting;
  const search = () => {
    clearTimeout(waiting);
    const address = formAddress();
    if (address === location.pathname + location.search) return;
    history.replaceState(null, '', address);
    refresh(address);
  };
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 150);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    search();
  });
}

function offerCopying(button) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      announcer.textContent = `Id ${button.dataset.copy} copied.`;
      button.textContent = 'Copied';
    } catch {
      announcer.textContent = 'The browser does not allow copying.';
    }
  });
}

if (region !== null) listen();
if (form !== null) searchWhileTyping();
for (const button of document.querySelectorAll('[data-copy]')) offerCopying(button);
