import { croppedImage } from '../picker/crop-asset.ts';
import { sessionOf } from '../picker/media-asset-field.ts';
import { type PickedAsset, pickedAsset } from '../picker/picked-asset.ts';
import { imagePattern, readImage, writeImage } from './body-image.ts';

/** Decap CMS or Sveltia CMS, whose types differ. */
interface Cms {
  registerWidget(...parts: unknown[]): void;
  registerEditorComponent(component: unknown): void;
  getEditorComponents(): ReadonlyMap<string, { pattern: RegExp }>;
}

interface React {
  h(type: string, props: object, ...children: unknown[]): unknown;
  createClass(methods: object): unknown;
}

type WidgetProps = Readonly<Record<string, unknown>> & { onChange(value: unknown): void };
type Control = { props: WidgetProps; field?: HTMLInputElement };

/**
 * Registers the widget `media-asset`, and a component of that name for images in texts.
 *
 * @param options.endpoint the site's base. @default '/'
 * @param options.h `createElement` of React, and `createClass`, if the CMS has no globals with their names
 */
export function registerMediaAsset(
  cms: Cms,
  options: { readonly endpoint?: string } & Partial<React> = {},
): void {
  const { endpoint = '/' } = options;
  const { h, createClass }: React = { ...(globalThis as unknown as React), ...options };
  const isSveltia = 'registerFieldType' in cms;
  const isRequired = ({ field }: WidgetProps) => read(field, 'required') !== false;

  const control = createClass({
    isValid(this: Control) {
      // Sveltia doesn't render again after a change that comes from here.
      const { value } = this.field ?? this.props;
      const isMissing = isRequired(this.props) && !pickedAsset(value);
      return isMissing ? { error: { message: 'Choose an image.' } } : true;
    },
    render(this: Control) {
      const { props } = this;
      const attributes = {
        ...{ id: props.forID, endpoint, lang: props.locale, label: read(props.field, 'label') },
        ...(isRequired(props) && { required: '' }),
        ...(props.isDisabled || read(props.field, 'readonly') ? { readonly: '' } : {}),
      };
      const ref = (field: HTMLInputElement | null) => {
        if (!field) return;
        this.field = field;
        field.value = props.value as string;
        // Sveltia ignores `undefined`.
        field.onchange = (event) => props.onChange((event as CustomEvent).detail ?? null);
      };
      const field = h('media-asset-field', { ...attributes, ref });
      return h('div', { className: props.classNameWrapper }, field);
    },
  });

  function preview({ value }: { readonly value?: unknown }): unknown {
    const image = pickedAsset(value);
    if (!image) return null;
    const [key, style] = [JSON.stringify(image), { maxWidth: '100%' }];
    const src = previewUrl(key, image, endpoint);
    return h('img', { key, 'data-value': key, src, alt: image.alt ?? '', style });
  }

  const widget = { name: 'media-asset', controlComponent: control, previewComponent: preview };
  if (isSveltia) cms.registerWidget(widget.name, control, preview);
  else cms.registerWidget({ ...widget, allowMapValue: true });
  cms.registerEditorComponent({
    ...{ id: 'media-asset', label: 'Media asset' },
    fields: [{ name: 'image', label: 'Image', widget: 'media-asset' }],
    // Decap looks at each line, and warns of the flag.
    pattern: isSveltia ? new RegExp(imagePattern, 'm') : imagePattern,
    fromBlock: (match: RegExpMatchArray) => ({ image: pickedAsset(readImage(match)) }),
    toBlock(data: unknown) {
      const image = pickedAsset(read(data, 'image'));
      return image ? writeImage(image) : '';
    },
    toPreview: (data: unknown) => preview({ value: read(data, 'image') }),
  });

  // Decap's own images come first, and would take ours.
  const images = isSveltia ? undefined : cms.getEditorComponents().get('image');
  const others = new RegExp(`^(?!.*\\]\\(media:)${images?.pattern.source.replace('^', '')}`);
  if (images) cms.registerEditorComponent({ ...images, pattern: others });
}

/** Reads a value of an object of a CMS, which can be an immutable map. */
function read(from: unknown, name: string): unknown {
  const { get } = Object(from) as { get?(name: string): unknown };
  return get ? get.call(from, name) : Reflect.get(Object(from), name);
}

/** URLs of what previews show, by value: `undefined` while one loads. */
const previewUrls = new Map<string, string | undefined>();

/** Decap makes HTML of a preview at once, and has it in a frame. So an image follows in its element. */
function previewUrl(value: string, image: PickedAsset, base: string): string | undefined {
  const show = (url: string) => {
    previewUrls.set(value, url);
    const frame = document.querySelector<HTMLIFrameElement>('#preview-pane');
    for (const { images } of [document, frame?.contentDocument ?? document])
      for (const one of images) if (one.dataset.value === value) one.src = url;
  };
  const isNew = !previewUrls.has(value);
  if (isNew) previewUrls.set(value, undefined);
  if (isNew) croppedImage(sessionOf(base), image).then(show, () => previewUrls.delete(value));
  return previewUrls.get(value);
}
