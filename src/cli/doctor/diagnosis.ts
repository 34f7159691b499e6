import { hintWithCode, isMediaAssetError } from '../../errors/errors.ts';
export interface Diagnosis extends Outcome {
  readonly subject: string;
}

interface Outcome {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly todo: string | null;
}

/** Checks a subject. An error of ours is a problem. */
export async function check(subject: string, work: () => Promise<Outcome>): Promise<Diagnosis> {
  try {
    return { subject, ...(await work()) };
  } catch (thrown) {
    if (!isMediaAssetError(thrown)) throw thrown;
    return { subject, ...problem(thrown.message, hintWithCode(thrown)) };
  }
}

export function ok(text: string): Outcome {
  return { state: 'ok', text, todo: null };
}

export function warning(text: string, todo: string): Outcome {
  return { state: 'warning', text, todo };
}

export function problem(text: string, todo: string): Outcome {
  return { state: 'problem', text, todo };
}
