import { hintWithCode, isMediaAssetError } from '../../errors/errors.ts';

export interface Diagnosis {
  readonly subject: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly todo: string | null;
}

export function ok(subject: string, text: string): Diagnosis {
  return { subject, state: 'ok', text, todo: null };
}

export function warning(subject: string, text: string, todo: string): Diagnosis {
  return { subject, state: 'warning', text, todo };
}

export function problem(subject: string, text: string, todo: string): Diagnosis {
  return { subject, state: 'problem', text, todo };
}

export function problemOf(subject: string, thrown: unknown): Diagnosis {
  if (!isMediaAssetError(thrown)) throw thrown;
  return problem(subject, thrown.message, hintWithCode(thrown));
}
