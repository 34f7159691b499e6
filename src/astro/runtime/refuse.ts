import type { ComponentCall } from '../../assets/request/check-props.ts';
import { mediaAssetError } from '../../errors/errors.ts';

/** Throws what a page gets that no renderer answers. */
export function refuse(call: ComponentCall | undefined): never {
  if (call?.isPrerendered !== false) throw mediaAssetError('renderer-alone', undefined);
  throw mediaAssetError('component-on-demand', { ...call, given: call.props.id });
}
