import { z } from 'zod';

/** Forms of the folder tree, the file lists and the records. */
export const librarySettings = {
  /**
   * Form of the folder tree: a list in the order of the tree with `depth`; a list by id with
   * `parent`; folders with `children`.
   * @default 'flat-depth'
   */
  folderTree: z
    .enum(['flat-depth', 'flat-parent', 'nested'])
    .default('flat-depth')
    .describe('form of the folder tree'),
  /**
   * The folder tree is an array, or the member `folders` of an object.
   * @default 'bare'
   */
  folderTreeAnswer: z
    .enum(['bare', 'wrapped'])
    .default('bare')
    .describe('the folder tree as an array, or in an object'),
  /**
   * A file list or search result is an array, or the member `files` of an object.
   * @default 'bare'
   */
  fileListAnswer: z
    .enum(['bare', 'wrapped'])
    .default('bare')
    .describe('file lists and search results as an array, or in an object'),
  /**
   * How file lists and search results are paged: not at all; by `page`, from 1; by `offset`, from
   * 0; by a link to the next page, which an object holds as `next` and an array as a `Link` header.
   * @default 'none'
   */
  paging: z
    .enum(['none', 'page', 'offset', 'next'])
    .default('none')
    .describe('how file lists and search results are paged'),
  /**
   * Most files, or usages of an asset, on a page; a caller gets fewer with `limit`.
   * @default 100
   */
  pageSize: z.int().min(1).max(10_000).default(100).describe('most files or usages on a page'),
};
