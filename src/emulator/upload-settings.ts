import { z } from 'zod';

/** How the two steps of an upload are, and the form of one file's record. */
export const uploadSettings = {
  /**
   * Names of file name, size and folder in the body of the first step and of an update, with commas
   * between them.
   * @default 'filename,size,folder'
   */
  uploadNames: z
    .string()
    .regex(/^[A-Za-z_]\w{0,63}(,[A-Za-z_]\w{0,63}){2}$/, 'expected three names, such as a,b,c')
    .refine((text) => new Set(text.split(',')).size === 3, 'expected three different names')
    .default('filename,size,folder')
    .describe("names of an upload's file name, size and folder"),
  /**
   * The `uploadURL` is absolute, is a path, or leads to another host, where its signature stands for
   * the token.
   * @default 'absolute'
   */
  uploadUrl: z
    .enum(['absolute', 'relative', 'other-host'])
    .default('absolute')
    .describe('form of the uploadURL'),
  /**
   * Largest upload in bytes.
   * @default 1073741824
   */
  uploadLimit: z
    .int()
    .min(0)
    .max(2 ** 40)
    .default(2 ** 30)
    .describe('largest upload in bytes'),
  /**
   * One file's record, as an upload or an update answers with it, is an object, or an array of one.
   * @default 'object'
   */
  fileRecord: z
    .enum(['object', 'array'])
    .default('object')
    .describe("one file's record as an object, or as an array of one"),
};
