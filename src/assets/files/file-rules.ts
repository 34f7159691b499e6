import type { ResolvedOptions } from '../../config/options.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject } from '../../errors/place.ts';
import type { GuardedKind } from '../formats/detect-file-type.ts';
import type { FileSource } from '../formats/source.ts';
import type { Issued } from '../store/asset-facts.ts';

/** The option `files`. */
export type FileRules = Partial<ResolvedOptions['files']>;

const descriptions: Readonly<Record<Exclude<GuardedKind, 'picture'>, string>> = {
  html: 'an HTML page',
  svg: 'an SVG',
  xml: 'XML',
  script: 'a script',
};

export function assertPublishable(
  { guarded, files = {} }: Pick<FileSource, 'guarded'> & { files?: FileRules | undefined },
  subject: AssetSubject,
): void {
  const refused = guarded.find(({ kind }) => !files.allow?.includes(kind));
  if (!refused) return;
  const { kind, by } = refused;
  if (kind === 'picture') throw mediaAssetError('file-is-picture', subject);
  throw mediaAssetError('file-guarded', { ...subject, what: descriptions[kind], by });
}

export function assertSvgTrusted(
  svg: ResolvedOptions['svg'] | undefined,
  subject: AssetSubject,
): void {
  if (svg !== 'trust') throw mediaAssetError('svg-refused', subject);
}

/** Throws if the site's options, which can have changed since it was issued, don't allow a file. */
export function assertAllowed(
  issued: Exclude<Issued, { as: 'link' }>,
  { svg, files }: { svg?: ResolvedOptions['svg'] | undefined; files?: FileRules | undefined },
  subject: AssetSubject,
): void {
  if (issued.as === 'file') assertPublishable({ guarded: issued.guarded, files }, subject);
  else if (issued.recipe.format === 'svg') assertSvgTrusted(svg, subject);
}
