import { describe, expect, test } from 'vitest';
import type { KnownRecord, Records } from '../../../src/assets/records/records.ts';
import { createRightsGuard } from '../../../src/assets/records/rights-guard.ts';
import { siteLanguages } from '../../../src/config/languages.ts';
import { mediaAssetError } from '../../../src/errors/errors.ts';

const missing = mediaAssetError('service-not-configured', { missing: ['service.baseUrl'] });
const down = mediaAssetError('asset-forbidden', { assets: [] });

const languages = siteLanguages({ base: '/' });

/** A guard of a site whose records can't be read. */
function openGuard(thrown: Error) {
  const records: Pick<Records, 'find' | 'settle'> = {
    find: async (): Promise<KnownRecord> => {
      throw thrown;
    },
    settle: async () => {},
  };
  return createRightsGuard({
    records: records as Records,
    rule: { forbidden: 'fail', unknown: 'forbid', warnDays: 30 },
    languages,
    mode: 'build',
    onFinding: () => {},
  });
}

describe('a built file with an asset whose record', () => {
  test.each<[why: string, thrown: Error, isPublished: boolean, code: string | undefined]>([
    ["can't be read without credentials", missing, true, 'service-not-configured'],
    ["can't be read without credentials", missing, false, undefined],
    ["can't be read for another reason", down, true, 'asset-forbidden'],
    ["can't be read for another reason", down, false, 'asset-forbidden'],
  ])(
    '%s is refused if the asset is published: %s, %s → %s',
    async (_, thrown, isPublished, code) => {
      const files = new Map([[4711, ['index.html']]]);
      const guard = openGuard(thrown);
      const checked = guard.check(files, languages.ofFile, () => isPublished);
      const [end] = await Promise.allSettled([checked]);
      expect(end.status === 'rejected' ? end.reason.code : undefined).toBe(code);
    },
  );
});
