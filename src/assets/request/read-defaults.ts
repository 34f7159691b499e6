import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { WrongValue } from '../../errors/service-errors.ts';
import { show } from '../../errors/wording.ts';
import { type ImageDefaults, parseRequest } from './parse-request.ts';

/** Checks the options `images` and `presets`. `images` overrides the defaults of the Astro config. */
export function readDefaults(
  { images, presets }: { images: ImageDefaults; presets: Record<string, ImageDefaults> },
  ofAstro: ImageDefaults,
): ImageDefaults {
  const problems: string[] = [];

  function read(option: string, props: ImageDefaults, defaults: ImageDefaults) {
    const toError = ({ name, value, expected }: WrongValue) => {
      problems.push(`${option}.${name}: expected ${expected}, received ${show(value)}`);
      return mediaAssetError('options-invalid', { problems });
    };
    const good: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(props)) {
      if (value === undefined) continue;
      try {
        parseRequest({ id: 1, alt: '', ...good, [name]: value }, defaults, toError);
        good[name] = value;
      } catch (thrown) {
        if (!isMediaAssetError(thrown, 'options-invalid')) throw thrown;
      }
    }
    return good;
  }

  const defaults = { ...ofAstro, ...read('images', images, ofAstro) };
  const named = Object.entries(presets).map(([name, props]) => {
    return [name, read(`presets.${name}`, props, defaults)];
  });
  if (problems.length > 0) throw mediaAssetError('options-invalid', { problems });
  return { ...defaults, presets: Object.fromEntries(named) };
}
