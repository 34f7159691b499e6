import { z } from 'zod';

/** The abort signal of a call. */
export const signalArgument = z
  .custom<AbortSignal>((value) => value instanceof AbortSignal, 'expected an AbortSignal')
  .optional();
