import { openCropEditor } from '../crop-editor/crop-editor.ts';
import { wholeImage } from '../crop-editor/crop-geometry.ts';
import { applyChange, type GivenCut, partOf } from '../crop-editor/crop-state.ts';
import type { Session } from '../library/session.ts';
import type { ShownAsset } from '../toolbar/protocol.ts';

/** An asset, and which part of it is shown. */
export type CutAsset = GivenCut & Pick<ShownAsset, 'id' | 'original'>;

/** Opens the crop editor. Returns the asset as it's cut then, or `undefined` if nothing has changed. */
export async function cropAsset<Asset extends CutAsset>(
  { session, layers }: { readonly session: Session; readonly layers: HTMLElement },
  asset: Asset,
): Promise<Asset | undefined> {
  const shown = await session.original({ id: asset.id });
  // The editor's styles must not meet the dialog's.
  const host = layers.appendChild(document.createElement('div'));
  const { promise, resolve } = Promise.withResolvers<GivenCut | undefined>();
  const editor = openCropEditor(host, {
    // Crops of `sources` are the template's.
    ...{ ...asset, ...shown, sources: undefined, saveLabel: 'Use this crop' },
    onCancel: () => resolve(undefined),
    onSave: async (change) =>
      resolve(Object.keys(change).length > 0 ? applyChange(asset, change) : undefined),
  });
  const cut = await promise;
  editor.close();
  host.remove();
  URL.revokeObjectURL(shown.image);
  return cut && { ...asset, ...cut };
}

/** A new blob URL of the part of an asset that's shown. The caller revokes it. */
export async function croppedImage(
  session: Session,
  { id, original: known, recordFocus, crop, aspect, focus }: CutAsset,
): Promise<string> {
  // Only the build knows what draws the eye.
  const given = focus === 'attention' ? { crop } : { recordFocus, crop, aspect, focus };
  if (given.crop === undefined && given.aspect === undefined)
    // A handler has no small images of large ones.
    return session.image(id, 320).catch(() => session.image(id, 1600));
  const { image, original, ...rest } = await session.original({ id, original: known });
  const whole = new Image();
  whole.src = image;
  await whole.decode();
  URL.revokeObjectURL(image);
  const { x, y, width, height } = partOf({ ...given, ...rest }, original) ?? wholeImage(original);
  const scale = whole.naturalWidth / original.width;
  const pixels = (length: number) => Math.max(1, Math.round(length * scale));
  const canvas = new OffscreenCanvas(pixels(width), pixels(height));
  const context = canvas.getContext('2d');
  context?.scale(canvas.width / width, canvas.height / height);
  context?.drawImage(whole, -x, -y, original.width, original.height);
  return URL.createObjectURL(await canvas.convertToBlob({ type: 'image/webp' }));
}
