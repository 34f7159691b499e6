import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PeopleAssets } from '../../assets/people-assets.ts';
import { removeFolder } from '../../assets/store/asset-folder.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { sameFileFinder } from '../../service/find-same-file.ts';
import type { MediaService } from '../../service/types.ts';
import { writeProblem } from '../../storage/file-problems.ts';
import { writeContent } from '../../storage/write-content.ts';
import { toListed } from './catalogue.ts';
import { assetOf, type Library } from './library.ts';
import type * as protocol from './protocol.ts';

/** Returns a function that uploads a file, unless its folder has the same bytes already. */
export function createUpload(site: {
  service: Pick<MediaService, 'folders' | 'files'>;
  library: Library;
  listedRecords: PeopleAssets['listedRecords'];
  /** The largest file, in bytes. */
  limit: number;
  /** Hears which part of a file is with the service. */
  onProgress(part: number): void;
}) {
  const { service, library, listedRecords, limit, onProgress } = site;
  return async (
    { filename, folder, name, alt, locale }: protocol.ToolbarUpload,
    body: AsyncIterable<Uint8Array>,
  ): Promise<protocol.UploadAnswer> => {
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
      const { hash, size } = await writeContent(path, limited(), (cause) =>
        mediaAssetError('file-unwritable', { path, problem: writeProblem(cause) }, { cause }),
      );
      // Not in the list that authors see: a try that failed may have made an asset since.
      const same = await sameFileFinder(service, folder).find({ hash, size });
      if (same) return { asset: assetOf(toListed(same)), isSame: true };
      const altField = alt && listedRecords?.altField(locale);
      const fields = { name, ...(altField && { [altField]: alt }) };
      const { id } = await service.files.upload(
        path,
        { filename, folder, fields },
        { onProgress: (progress) => onProgress(progress.sent / progress.size) },
      );
      // With fields, an upload without an ID fails.
      const file = toListed({ id: id as number, name, filename, size });
      library.noteUpload(folder, file);
      return { asset: assetOf(file), isSame: false, lacksAlt: alt !== undefined && !altField };
    } finally {
      await removeFolder(directory);
    }
  };
}
