import { customFormats } from '../../../src/assets/geometry/custom-format-parameters.ts';
import { siteLanguages } from '../../../src/config/languages.ts';

/** What `createAssets` gets from a site that sets no options. */
export const defaultOptions = {
  customFormat: customFormats.size,
  languages: siteLanguages({ base: '/' }),
  hasCredentials: true,
  keeps: false,
  accepted: async () => ({}),
  maxStale: 7 * 24 * 60 * 60 * 1000,
  rights: { forbidden: 'warn', unknown: 'warn', warnDays: 30 },
  requestsAtOnce: 8,
} as const;
