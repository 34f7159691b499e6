import { type CropEditorOptions, openCropEditor } from '../../crop-editor/crop-editor.ts';
import type { AssetChange, ShownProps, Size } from '../protocol.ts';
import type { Session } from './session.ts';

/** Opens the crop editor for an asset. It closes after saving and canceling. */
export async function cropAsset(
  { session, host }: { session: Session; host: HTMLElement },
  options: {
    readonly id: number;
    readonly original: Size | undefined;
    readonly props: ShownProps;
    readonly layout?: CropEditorOptions['layout'];
    readonly saveLabel: string;
    onSave(change: AssetChange): Promise<void>;
    onClose(): void;
  },
): Promise<() => void> {
  const { id, original, props, layout, saveLabel } = options;
  const image = await session.image(id, 1600);
  // For its preview, the dev server has the original, whose size the service may not list.
  const size = original ?? (await session.asset(id)).size;
  if (!size)
    throw new Error('The size of this image is unknown, so it can only be cropped by hand.');
  const close = () => {
    editor.close();
    URL.revokeObjectURL(image);
  };
  const editor = openCropEditor(host, {
    image,
    original: size,
    ...props,
    layout,
    sources: props.sources ?? [],
    saveLabel,
    async onSave(change) {
      await options.onSave(change);
      close();
      options.onClose();
    },
    onCancel() {
      close();
      options.onClose();
    },
  });
  return close;
}
