/** Updates usages without a reload. The pages also work without this script. */

for (const time of document.querySelectorAll('.facts time'))
  time.textContent = new Date(time.dateTime).toLocaleString();

const region = document.querySelector('[data-live]');
const announcer = document.querySelector('[data-announcer]');

/** How often it asks for changes, in ms. */
const pause = 1000;

/** Reloads the live region and announces its count to screen readers. */
async function refresh() {
  try {
    const response = await fetch(location.href);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const wanted = page.querySelector('[data-live]');
    if (wanted !== null && !region.isEqualNode(wanted)) replace(wanted);
  } catch {
    // The emulator may start again.
  }
}

function replace(wanted) {
  const focused = region.contains(document.activeElement) && document.activeElement.href;
  region.replaceChildren(...wanted.childNodes);
  if (focused) [...region.querySelectorAll('a')].find(({ href }) => href === focused)?.focus();
  announcer.textContent = region.querySelector('[data-count]')?.textContent ?? '';
}

while (region !== null) {
  if (!document.hidden) await refresh();
  await new Promise((resolve) => setTimeout(resolve, pause));
}
