import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  acceptCrops,
  acceptedFile,
  readAcceptedCrops,
} from '../../assets/renditions/accepted-crops.ts';
import { cropReviews, reviewsFile } from '../../assets/renditions/review-crops.ts';
import { readCachedJson } from '../../assets/store/cached-json.ts';
import { finding, mediaAssetError } from '../../errors/errors.ts';
import { countOf } from '../../errors/wording.ts';
import { writeOutput } from '../../storage/replace-file.ts';
import { inBlock, publishMarkdown } from '../../usage/output/publish-markdown.ts';
import { assetLabel } from '../../usage/output/render-plan.ts';
import { wrong } from '../command-options.ts';
import { cacheFolder, readLastBuild } from '../settings/site-settings.ts';
import { type Command, noteFindings } from '../terminal/terminal.ts';

const sheet = new URL('../../../templates/crops.html', import.meta.url);

export const crops: Command<{
  readonly accept?: readonly number[];
  readonly output: string;
  readonly markdown?: string;
}> = async ({ accept = [], output, markdown }, terminal) => {
  const { directory, environment } = terminal;
  const known = await readLastBuild(terminal);
  const path = join(cacheFolder(terminal, known), reviewsFile);
  const found = readCachedJson(path, cropReviews);
  if (!found) throw mediaAssetError('build-unknown', { path, has: 'no build' });
  const hashes = new Map(found.map(({ id, now }) => [id, now.slice(0, 16)]));
  for (const id of accept)
    await acceptCrops(directory, {
      [id]: hashes.get(id) ?? wrong(`No changed crop of asset ${id} is known here.`),
    });
  const accepted = await readAcceptedCrops(directory);
  const left = found.filter(({ id, now }) => !now.startsWith(accepted[id] ?? 'none'));
  const lines = left.map((review) => finding('warning', 'crop-review', review).message);
  const data = left.map((review, at) => ({
    ...review,
    name: assetLabel(review.id, known.built?.names),
    message: lines[at],
  }));
  const html = (await readFile(sheet, 'utf8')).replace(
    '[]</script>',
    () => `${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  );
  await writeOutput(resolve(directory, output), html);
  const listed = lines.map((line) => `! ${line}`).join('\n') || 'No changed crops.';
  // Every build's summary would say that there are none.
  if (left.length > 0 || markdown)
    await publishMarkdown(inBlock(listed, 'Changed crops'), {
      ...{ file: markdown && resolve(directory, markdown), environment },
      onFinding: (one) => noteFindings([one], terminal),
    });
  terminal.print({ crops: left.map(({ images, ...review }) => review), sheet: output }, () =>
    [
      ...lines,
      ...accept.map((id) => `Asset ${id} is accepted in ${acceptedFile}. Commit the file.`),
      `${countOf(left.length, 'crop')} to look at: ${output}`,
    ].join('\n'),
  );
};
