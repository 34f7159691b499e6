import type { MediaAssetRequest } from 'astro-media-asset';

type RequestProps = Omit<MediaAssetRequest, 'page'>;

/** The props that say what is shown. A property of `MediaAssetRequest` that is not here is an error of `tsc`. */
const requestProps: Record<keyof RequestProps, true> = {
  id: true,
  alt: true,
  crop: true,
  aspect: true,
  focus: true,
  width: true,
  height: true,
  fit: true,
  position: true,
  densities: true,
  widths: true,
  sizes: true,
  layout: true,
  format: true,
  formats: true,
  quality: true,
  background: true,
  gamut: true,
  placeholder: true,
  sources: true,
};

/** Parts a component's props: what it asks for, and the attributes of its element. */
export function splitProps<Props extends RequestProps>(
  props: Props,
): { request: RequestProps; attributes: Omit<Props, keyof RequestProps> } {
  const isRequest = ([name]: [string, unknown]) => Object.hasOwn(requestProps, name);
  const entries = Object.entries(props);
  const rest = entries.filter((entry) => !isRequest(entry));
  return {
    request: Object.fromEntries(entries.filter(isRequest)) as typeof props,
    attributes: Object.fromEntries(rest) as Omit<Props, keyof RequestProps>,
  };
}
