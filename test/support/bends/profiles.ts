import type { SettingChanges } from './bent-emulator.ts';

/** A service as its public clients know it: corners, URLs instead of bytes, records with consent. */
export const publicClients: SettingChanges = {
  fields: 'alttext,photographer,gdprStatus',
  customFormat: 'corners',
  downloads: 'json',
  fileRecord: 'array',
  folderTree: 'flat-depth',
  tokenEncoding: 'basic',
  usageRecord: 'flat',
  ids: 'negative',
};
