import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookup } from 'mrmime';
import { assetName } from '../../assets/files/file-label.ts';
import type { PeopleAssets } from '../../assets/people-assets.ts';
import { inLanguage } from '../../assets/request/asking.ts';
import { removeFolder, writeContent } from '../../assets/store/asset-folder.ts';
import type { SiteLanguages } from '../../config/languages.ts';
import { ignoreOurs, mediaAssetError } from '../../errors/errors.ts';
import { sameFileFinder } from '../../service/find-same-file.ts';
import { type ListedFacts, listFileFacts } from '../../service/list-file-facts.ts';
import type { ListRequest } from '../../service/requests.ts';
import type { FileRecord, MediaService } from '../../service/types.ts';
import type * as protocol from './protocol.ts';
import { toShownRecord } from './shown-asset.ts';

export type Library = ReturnType<typeof openLibrary>;

type Filters = Omit<protocol.AssetsRequest, 'offset' | 'limit'>;

/** The service's library for the toolbar. */
export function openLibrary(site: {
  service: Pick<MediaService, 'baseUrl' | 'folders' | 'files' | 'search' | 'usages'>;
  images: Pick<PeopleAssets, 'describeRecord' | 'listedRecords' | 'original'>;
  languages: SiteLanguages;
  /** The largest file, in bytes, and what hears which part of one is with the service. */
  upload: { limit: number; onProgress(part: number): void };
}) {
  const { service, images, languages, upload } = site;
  const { listedRecords } = images;
  /** As displayed, if the original is cached. */
  async function pixels(id: number): Promise<protocol.Size | undefined> {
    const { width, height } = (await images.original(id)) ?? {};
    return width && height ? { width, height } : undefined;
  }

  /** The records of lists. They can lack what decides about rights. */
  const answered = new Map<number, FileRecord>();

  /** The list that was asked for last, and what has been read of it. Further pages continue it. */
  let open:
    | { key: string; assets: protocol.ListedAsset[]; rest: AsyncIterator<protocol.ListedAsset> }
    | undefined;

  async function* list(filters: Filters): AsyncGenerator<protocol.ListedAsset> {
    const { search, folder, kind } = filters;
    async function* noted(records: AsyncIterable<FileRecord>) {
      for await (const record of records) {
        answered.set(record.id, record);
        yield record;
      }
    }
    const read = (ask: (request: ListRequest) => AsyncIterable<FileRecord>, folder?: number) =>
      listFileFacts(
        (fields) => noted(ask({ fields: [...fields, ...(listedRecords?.fields ?? [])] })),
        folder,
      );
    async function* facts() {
      if (search !== undefined) return yield* read((request) => service.search(search, request));
      const folders = folder === undefined ? await service.folders.tree() : [{ id: folder }];
      for (const { id } of folders) yield* read((asked) => service.folders.files(id, asked), id);
    }
    const listed = new Set<number>();
    for await (const file of facts()) {
      // An asset can be in several folders.
      if (listed.has(file.id)) continue;
      listed.add(file.id);
      const { size = await pixels(file.id), ...facts } = toListed(file);
      if (kind === undefined || facts.kind === kind) yield { ...facts, size };
    }
  }

  return {
    async folders(): Promise<protocol.FoldersAnswer> {
      const tree = await service.folders.tree();
      return { folders: tree.map(({ id, name = `${id}`, depth }) => ({ id, name, depth })) };
    },
    async assets(request: protocol.AssetsRequest): Promise<protocol.AssetsAnswer> {
      const { offset, limit, ...filters } = request;
      const key = JSON.stringify(filters);
      if (offset === 0 || open?.key !== key) open = { key, assets: [], rest: list(filters) };
      const { assets, rest } = open;
      while (assets.length <= offset + limit) {
        const { done, value } = await rest.next();
        if (done) break;
        assets.push(value);
      }
      const more = assets.length > offset + limit;
      const some = assets.slice(offset, offset + limit);
      // Only what people are about to see is read singly.
      const records = some.flatMap(({ id }) => answered.get(id) ?? []);
      const shownIn = languages.ofName(filters.locale ?? '');
      const isSearch = filters.search !== undefined;
      const verdicts = await listedRecords?.judge(records, { shownIn, isSearch });
      const rightsOf = (id: number) => verdicts && (verdicts.get(id)?.state ?? 'unknown');
      return { assets: some.map((one) => ({ ...one, rights: rightsOf(one.id) })), more };
    },
    /** Uploads a file, unless its folder has the same bytes already. */
    async upload(
      request: protocol.ToolbarUpload,
      body: AsyncIterable<Uint8Array>,
    ): Promise<protocol.UploadAnswer> {
      const { filename, folder, name, alt, locale } = request;
      const { limit, onProgress } = upload;
      const directory = await mkdtemp(join(tmpdir(), 'media-asset-'));
      const path = join(directory, 'upload');
      async function* limited() {
        let left = limit;
        for await (const part of body) {
          left -= part.length;
          if (left < 0) throw mediaAssetError('upload-too-large', { file: filename, limit });
          yield part;
        }
      }
      try {
        const { hash, size } = await writeContent(path, limited());
        const same = await sameFileFinder(service, folder)({ hash, size });
        if (same) return { asset: toListed(same), isSame: true };
        const altField = alt && listedRecords?.altField(locale);
        const fields = { name, ...(altField && { [altField]: alt }) };
        const { id } = await service.files.upload(
          path,
          { filename, folder, fields },
          { onProgress: (progress) => onProgress(progress.sent / progress.size) },
        );
        // With fields, an upload without an ID fails.
        return { asset: toListed({ id: id as number, name, filename, size }), isSame: false };
      } finally {
        await removeFolder(directory);
      }
    },
    async asset({ id, locale = '' }: protocol.AssetRequest): Promise<protocol.AssetDetails> {
      const use = inLanguage(languages.ofName(locale), locale, languages);
      // Not every service lists usages.
      const listed = await service.usages.list(id).catch(ignoreOurs);
      const usages = listed
        ?.filter(({ page }) => page)
        .map(({ page, pageName }) => ({ page, ...(pageName && { pageName }) }));
      const record = toShownRecord(await images.describeRecord(id, use));
      return { size: await pixels(id), record, usages };
    },
  };
}

function toListed(file: Partial<ListedFacts> & Pick<ListedFacts, 'id'>): protocol.ListedAsset {
  const { id, name, filename, kind, size, width, height } = file;
  return {
    id,
    name: assetName(file) ?? `Asset ${id}`,
    kind: kindOf(kind, filename ?? name ?? ''),
    size: width && height ? { width, height } : undefined,
    bytes: size,
  };
}

const kinds = ['image', 'video', 'audio'] as const;

/** By the service's own word for it, such as `image/jpeg`, or else by the file's name. */
function kindOf(kind = '', name: string): protocol.AssetKind {
  const type = (lookup(kind) ?? lookup(name) ?? kind).toLowerCase();
  return kinds.find((one) => type.startsWith(one)) ?? 'document';
}
