import type { Problem } from '../protocol.ts';
import { isUnused } from './library/asset-usages.ts';
import type { PageImage } from './page-images.ts';
import type { Session } from './session.ts';

const problem: Problem = { code: 'unused', message: 'Used by no page until now.' };

/**
 * Signs for images whose assets no page uses until now.
 *
 * @param onFound called when images have got a sign
 */
export function createUnusedAssets(session: Session, onFound: () => void) {
  const asked = new Set<number>();
  const unused = new Set<number>();
  let turn = Promise.resolve();

  async function ask(ids: readonly number[]): Promise<void> {
    const before = unused.size;
    for (const id of ids) {
      // Without an answer there's no sign. The image's own view shows the error.
      const details = await session.asset(id).catch(() => undefined);
      if (details && isUnused(details)) unused.add(id);
    }
    if (unused.size > before) onFound();
  }

  return {
    /** Asks for the assets of images, one after another, and each once. */
    check(images: readonly PageImage[]) {
      const ids = new Set(images.filter(isLoaded).map(({ shown }) => shown.id));
      const fresh = [...ids].filter((id) => !asked.has(id));
      for (const id of fresh) asked.add(id);
      turn = turn.then(() => ask(fresh));
    },
    /** The image with a sign, if its asset isn't used. */
    sign(image: PageImage): PageImage {
      if (!unused.has(image.shown.id)) return image;
      const problems = [...image.shown.problems, problem];
      return { ...image, shown: { ...image.shown, problems } };
    },
  };
}

/** A placeholder has a sign of its own. */
function isLoaded({ shown }: PageImage): boolean {
  return shown.layout !== undefined;
}
