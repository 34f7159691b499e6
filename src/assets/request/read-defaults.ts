import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { show } from '../../errors/wording.ts';
import { type PictureDefaults, parseRequest } from './parse-request.ts';
import type { WrongValue } from './prop-readers.ts';

/**
 * Checks the props that an option sets for many images, in their order.
 *
 * @param option its path in messages
 * @param defaults further defaults of the images
 * @throws `options-invalid` with every problem: the prop's path, what was expected and what was received
 */
export function readDefaults(
  option: string,
  props: PictureDefaults,
  defaults: PictureDefaults,
): PictureDefaults {
  const problems: string[] = [];
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
  if (problems.length > 0) throw mediaAssetError('options-invalid', { problems });
  return good;
}
