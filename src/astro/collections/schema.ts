import { type ZodType as Schema, z } from 'astro/zod';
import { isMediaAddress, parseMediaAddress } from '../../assets/request/media-address.ts';
import type { MediaAssetRequest } from '../../assets/request/media-asset.ts';
import { parseRequest } from '../../assets/request/parse-request.ts';
import { propReaders } from '../../assets/request/prop-readers.ts';
import { imageProps } from '../../assets/request/props.ts';
import { isAssetId, parseAssetId } from '../../errors/asset-id.ts';
import { isMediaAssetError } from '../../errors/errors.ts';
import { show } from '../../errors/wording.ts';

/** The props of `<MediaAsset>` that a field of an entry has. */
export interface MediaAssetData extends Omit<MediaAssetRequest, 'alt' | 'page' | 'locale'> {
  readonly alt?: string | undefined;
  /** For images that visitors see first. */
  readonly priority?: boolean | undefined;
}

type Options = { readonly alt?: 'required' | 'optional'; readonly optional?: boolean };

type DataOf<Given extends Options> = MediaAssetData &
  (Given extends { readonly alt: 'required' } ? { readonly alt: string } : unknown);

type FieldOf<Given extends Options> = Given extends { readonly optional: true }
  ? z.ZodOptional<Schema<DataOf<Given> | undefined>>
  : Schema<DataOf<Given>>;

/**
 * The schema of a field that names an asset: by its ID, a `media:` address, or an object with props of
 * `<MediaAsset>`. The entry's data has the props: `<MediaAsset {...entry.data.hero} alt="…" />`.
 *
 * @param options.alt whether the entry must have an `alt`. @default 'optional'
 * @param options.optional reads a missing field, `null` and `''` as `undefined`. @default false
 */
export function mediaAsset<const Given extends Options>(options?: Given): FieldOf<Given> {
  const field: Schema = z.unknown().transform((value, context) => {
    if (options?.optional && (value ?? '') === '') return undefined;
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    try {
      const data = readData(value);
      if (!data) return refuse(`Received ${show(value)}; expected ${forms}.`);
      // The page that shows the asset may add a text and a layout, and knows the presets.
      const added = options?.alt === 'required' ? {} : { alt: '' };
      const asked = { ...added, ...data, preset: undefined, page: '' };
      parseRequest(asked, { layout: 'constrained' });
      return data;
    } catch (thrown) {
      if (isMediaAssetError(thrown)) return refuse(thrown.message);
      throw thrown;
    }
  });
  return (options?.optional ? field.optional() : field) as FieldOf<Given>;
}

const forms = 'an asset ID, an address such as media:4711?aspect=16:9, or { id, alt, crop, … }';

/** The props of a value, of which only the names are checked; `undefined` if it has no asset ID. */
function readData(value: unknown): MediaAssetData | undefined {
  if (isMediaAddress(value)) {
    const { decoration, ...data } = parseMediaAddress(value);
    return decoration ? { ...data, alt: '' } : data;
  }
  const given: object = typeof value === 'object' && value ? value : { id: value };
  const written: unknown = Reflect.get(given, 'id');
  const id = typeof written === 'string' ? parseAssetId(written) : written;
  if (!isAssetId(id)) return undefined;
  const read = propReaders({ id, page: '' });
  const known: readonly string[] = imageProps();
  for (const [name, one] of Object.entries(given)) {
    if (!known.includes(name)) throw read.wrong(name, one, `only ${known.join(', ')}`);
    if (name === 'priority' && typeof one !== 'boolean') {
      throw read.wrong(name, one, 'true or false');
    }
  }
  return { ...given, id };
}
