import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { WrongValue } from '../../errors/service-errors.ts';
import { show } from '../../errors/wording.ts';
import { type ImageDefaults, parseRequest } from './parse-request.ts';
import { imageOptions, presetOptions } from './props.ts';

/** Checks the options `images` and `presets`. `images` overrides the defaults of the Astro config. */
export function readDefaults(
  { images, presets }: { images: ImageDefaults; presets: Record<string, ImageDefaults> },
  ofAstro: ImageDefaults,
): ImageDefaults {
  const problems: string[] = [];

  function read(
    option: string,
    props: ImageDefaults,
    { known, defaults }: { known: readonly string[]; defaults: ImageDefaults },
  ) {
    const toError = ({ name, value, expected }: WrongValue) => {
      problems.push(`${option}.${name}: expected ${expected}, received ${show(value)}`);
      return mediaAssetError('options-invalid', { problems });
    };
    const good: Record<string, unknown> = {};
    // In this order, because some values are checked with those before them.
    for (const name of new Set([...known, ...Object.keys(props)])) {
      const value: unknown = Reflect.get(props, name);
      if (value === undefined) continue;
      if (!known.includes(name)) {
        problems.push(`${option}.${name}: unknown option. Valid options: ${known.join(', ')}`);
        continue;
      }
      try {
        parseRequest({ id: 1, alt: '', ...good, [name]: value }, defaults, toError);
        good[name] = value;
      } catch (thrown) {
        if (!isMediaAssetError(thrown, 'options-invalid')) throw thrown;
      }
    }
    return good;
  }

  const ofSite = read('images', images, { known: imageOptions, defaults: ofAstro });
  const defaults = { ...ofAstro, ...ofSite };
  const named = Object.entries(presets).map(([name, props]) => {
    return [name, read(`presets.${name}`, props, { known: presetOptions(), defaults })];
  });
  if (problems.length > 0) throw mediaAssetError('options-invalid', { problems });
  return { ...defaults, presets: Object.fromEntries(named) };
}
