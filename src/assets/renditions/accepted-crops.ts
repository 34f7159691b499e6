import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { assetIdPattern } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { parseJson } from '../../errors/wording.ts';
import { ignoreMissing } from '../../storage/file-problems.ts';
import { writeOutput } from '../../storage/replace-file.ts';

/** In the project's folder, and in Git. */
export const acceptedFile = 'media-crops.json';

/** By asset, the start of the hash of the original that its crops were accepted for. */
const schema = z.record(
  z.string().regex(new RegExp(`^${assetIdPattern}$`), 'expected an asset ID'),
  z.string().regex(/^[0-9a-f]{16,64}$/, 'expected 16 to 64 hexadecimal digits'),
);

export async function readAcceptedCrops(root: string): Promise<z.output<typeof schema>> {
  const text = await readFile(join(root, acceptedFile), 'utf8').catch(ignoreMissing);
  return parseJson(text ?? '{}', schema, (problem, cause) =>
    mediaAssetError('media-crops-broken', { path: acceptedFile, problem }, { cause }),
  );
}

export async function acceptCrops(root: string, hashes: z.output<typeof schema>): Promise<void> {
  const all = { ...(await readAcceptedCrops(root)), ...hashes };
  await writeOutput(join(root, acceptedFile), `${JSON.stringify(all, undefined, 2)}\n`);
}
