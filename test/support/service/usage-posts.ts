import type { EmulatorProcess } from './emulator-process.ts';

/** A usage post as the interface shows it, in section 2.1. */
export const usageBody = {
  id: [4711],
  contact: 'Press office',
  date: '2026-03-04',
  amount: '1',
  description: '',
  project: 'harbour.example',
  types: ['web'],
  removed: 'false',
  web: { page: 'https://www.example.org/quay/', pageName: 'The quay' },
};

export const removalBody = { ...usageBody, removed: 'true' };

/** Sends a usage post to an emulator. */
export function postUsage(emulator: EmulatorProcess, body: unknown): Promise<Response> {
  return emulator.fetch('/1/files/multiple/usages', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}
