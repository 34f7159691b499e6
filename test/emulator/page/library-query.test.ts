import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  foldersIn,
  type ListedAsset,
  pageLength,
  parseLibraryQuery,
  selectAssets,
} from '../../../src/emulator/page/library-page.ts';
import { type LibraryQuery, libraryAddress } from '../../../src/emulator/page/page-layout.ts';

const anyFolder = fc.constantFrom('', 'a', 'a/b', 'ab');

const anyLibrary = fc
  .array(fc.record({ title: fc.string(), folder: anyFolder, pages: fc.nat({ max: 3 }) }), {
    maxLength: 4 * pageLength,
  })
  .map((files): ListedAsset[] =>
    files.map(({ title, folder, pages }, index) => ({
      asset: {
        id: 4711 + index,
        name: `${title}.jpg`,
        title,
        folder,
        path: `${folder}/${title}.jpg`,
        file: `/${index}`,
        metadata: {},
        gone: false,
        awaited: undefined,
      },
      pages,
    })),
  );

const anyQuery: fc.Arbitrary<LibraryQuery> = fc.record({
  text: fc.oneof(fc.constant(''), fc.string({ maxLength: 2 })).map((text) => text.trim()),
  folder: anyFolder,
  page: fc.integer({ min: 1, max: 1000 }),
});

test('a query survives its URL', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const { searchParams } = new URL(libraryAddress(query), 'http://127.0.0.1');
      expect(parseLibraryQuery(searchParams)).toEqual(query);
    }),
  );
});

test('all pages together show each match once, in one order', () => {
  fc.assert(
    fc.property(anyLibrary, anyQuery, (assets, query) => {
      const first = selectAssets(assets, { ...query, page: 1 });
      const shown = Array.from(
        { length: first.pageCount },
        (_, index) => selectAssets(assets, { ...query, page: index + 1 }).shown,
      );
      expect(shown.slice(0, -1).every((page) => page.length === pageLength)).toBe(true);
      const ids = shown.flat().map(({ asset }) => asset.id);
      expect(new Set(ids).size).toBe(first.total);
      expect(ids).toHaveLength(first.total);
      const inOtherOrder = selectAssets(assets.toReversed(), { ...query, page: 1 });
      expect(inOtherOrder.shown).toEqual(first.shown);
    }),
  );
});

test('each folder includes the files of its subfolders', () => {
  fc.assert(
    fc.property(anyLibrary, (assets) => {
      const [top] = foldersIn(assets, '').filter(({ path }) => path === 'a');
      const [nested] = foldersIn(assets, 'a');
      const filesIn = (folders: readonly string[]) =>
        assets.filter(({ asset }) => folders.includes(asset.folder)).length;
      expect(top?.files ?? 0).toBe(filesIn(['a', 'a/b']));
      expect(nested).toEqual(
        filesIn(['a/b']) === 0 ? undefined : { path: 'a/b', files: filesIn(['a/b']) },
      );
    }),
  );
});
