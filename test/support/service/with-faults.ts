import { expect, vi } from 'vitest';
import type { Fault } from '../bends/faults/faults.ts';
import type { EmulatorProcess } from './emulator-process.ts';

/** Calls a function while an emulator has faults, and waits until late requests have arrived. */
export async function withFaults<T>(
  { emulator, faults = [] }: { emulator: EmulatorProcess; faults?: readonly Fault[] | undefined },
  act: () => Promise<T>,
): Promise<T> {
  if (faults.length === 0) return act();
  await emulator.setFaults(faults);
  try {
    return await act();
  } finally {
    await emulator.clearFaults();
    await waitForLateRequests(emulator, faults);
  }
}

/** Waits until requests delayed by such faults have taken effect. */
export async function waitForLateRequests(
  emulator: EmulatorProcess,
  faults: readonly Fault[] = [],
): Promise<void> {
  if (!hasLateFaults(faults)) return;
  const isOpen = () =>
    emulator.log().some(({ fault, effect }) => fault === 'late' && effect === null);
  await vi.waitFor(() => expect(isOpen()).toBe(false), { interval: 5, timeout: 20_000 });
}

export function hasLateFaults(faults: readonly Fault[]): boolean {
  return faults.some(({ kind }) => kind === 'late');
}
