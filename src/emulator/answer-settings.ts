import { z } from 'zod';

/** What holds for the answers of every call. */
export const answerSettings = {
  /**
   * Body of every error of the interface. Faults name their own.
   * @default 'json'
   */
  errorBody: z
    .enum(['json', 'text', 'html', 'empty'])
    .default('json')
    .describe('body of the errors that are answered'),
};
