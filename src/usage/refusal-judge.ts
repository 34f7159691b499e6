import { mediaAssetError } from '../errors.ts';
import type { Usage } from '../service/media-service.ts';
import type { ServiceError } from '../service/service-error.ts';

/** Usages refused, and none accepted, after which a service counts as one that refuses all. */
const mostRefusedFirst = 50;

/** A refusal of the service, for one usage or several. */
interface Refusal {
  readonly usage: Usage;
  /** Whether it belongs to a report, as itself or as a removal before it. */
  readonly toReport: boolean;
  readonly status: number;
  /** What the service said, possibly nothing. */
  readonly text: string;
  readonly error: ServiceError;
}

/** Tells a service that refuses single usages from one that takes none at all. */
export interface RefusalJudge {
  /** Whether the service has accepted a usage, or the removal of one. */
  readonly hasAccepted: boolean;
  /** Whether a 403 came that may concern the credentials, and not the asset. */
  readonly isForbidden: boolean;
  accept(): void;
  refuse(refusal: Refusal): void;
  /** What should end a run under way: as many refusals as a service has that takes nothing. */
  readonly failure: Error | undefined;
  /**
   * What ends a run that has sent all. `isProven`: whether the service has answered another call. A
   * 403 counts where it has accepted no usage: always where that was to report something, as
   * credentials without the right to report would see the same; else unless it is proven.
   */
  lastFailure(service: { isProven: boolean }): Error | undefined;
}

export function createRefusalJudge(): RefusalJudge {
  /** The first 403 of each kind. */
  const forbidden: { toReport?: ServiceError; toRemove?: ServiceError } = {};
  let hasAccepted = false;
  let refused = 0;
  let failure: Error | undefined;
  return {
    get hasAccepted() {
      return hasAccepted;
    },
    get isForbidden() {
      return !hasAccepted && (forbidden.toReport ?? forbidden.toRemove) !== undefined;
    },
    get failure() {
      return failure;
    },
    accept() {
      hasAccepted = true;
    },
    refuse({ usage, toReport, status, text, error }) {
      if (status === 403) forbidden[toReport ? 'toReport' : 'toRemove'] ??= error;
      const isOfOne = usage.ids.length === 1 && !(usage.removed && isAbsent(status));
      if (hasAccepted || !toReport || !isOfOne) return;
      refused += 1;
      if (refused < mostRefusedFirst) return;
      const details = { refused, status, answer: text };
      failure ??= forbidden.toReport ?? mediaAssetError('usages-refused', details);
    },
    lastFailure({ isProven }) {
      if (hasAccepted) return undefined;
      return forbidden.toReport ?? (isProven ? undefined : forbidden.toRemove);
    },
  };
}

/** Whether a status says that the service does not have what was asked for. */
export function isAbsent(status: number): boolean {
  return status === 404 || status === 410;
}
