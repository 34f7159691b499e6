import type { SavedPlace } from '../protocol.ts';

/** What a reload of the page, as after a save, must not lose. */
export interface TabMemory {
  readonly isOpen?: boolean | undefined;
  readonly selected?: string | undefined;
  /** Where the source was just saved. */
  readonly saved?: SavedPlace | undefined;
}

const key = 'astro-media-asset';

/** Reads what this browser tab remembers: nothing if the browser allows no storage. */
export function readMemory(): TabMemory {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
}

/** Adds to what this browser tab remembers. `undefined` removes a value. */
export function remember(values: TabMemory): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...readMemory(), ...values }));
  } catch {
    // Without storage, a reload closes the app.
  }
}
