import { type RecordRule, readKnownRecord, requestOf } from '../../assets/records/records.ts';
import { openCropCheck } from '../../assets/renditions/compare-crops.ts';
import { inLanguage } from '../../assets/request/asking.ts';
import { onNoPage, type SiteLanguages } from '../../config/languages.ts';
import type { ServiceSettings } from '../../config/service-settings.ts';
import { type Finding, hintWithCode, isMediaAssetError } from '../../errors/errors.ts';
import { countOf } from '../../errors/wording.ts';
import { createRecordReader } from '../../service/read-records.ts';
import type { MediaService } from '../../service/types.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { findCropFormat, findFiles, isImage } from '../init/probe-service.ts';

export interface Diagnosis
  extends Partial<Pick<Finding, 'code' | 'details' | 'page' | 'place' | 'asset'>> {
  readonly subject: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly todo: string | null;
}

type Outcome = Omit<Diagnosis, 'subject'>;

/** Checks a subject. An error of ours is a problem. */
export async function check(subject: string, work: () => Promise<Outcome>): Promise<Diagnosis> {
  try {
    return { subject, ...(await work()) };
  } catch (thrown) {
    if (!isMediaAssetError(thrown)) throw thrown;
    const { code, details, page, place, asset, message } = thrown;
    const found = { code, details, page, place, asset };
    return { subject, ...problem(message, hintWithCode(thrown)), ...found };
  }
}

export const ok = (text: string): Outcome => ({ state: 'ok', text, todo: null });
export const warning = (text: string, todo: string): Outcome => ({ state: 'warning', text, todo });
const problem = (text: string, todo: string): Outcome => ({ state: 'problem', text, todo });

/** Where credentials come from, without naming a secret. */
export const credentialSources: Readonly<Record<ServiceSettings['credentials']['kind'], string>> = {
  password: 'MEDIA_ASSET_USERNAME and MEDIA_ASSET_PASSWORD',
  'refresh-token': 'MEDIA_ASSET_REFRESH_TOKEN',
  'access-token': 'MEDIA_ASSET_ACCESS_TOKEN',
  'authorization-code': 'media-asset login',
};

/** Compares one of the service's crops with our own. */
export function checkServiceCrops(
  service: MediaService,
  { id: named, settings }: { id: number | undefined; settings: BuildRules['settings'] },
): Promise<Diagnosis> {
  return check('crops', async () => {
    const { crops, customFormat = 'size' } = settings ?? {};
    if (crops === 'local') return ok('Crops are cut on this machine (crops: local).');
    if (customFormat === 'own') {
      return ok('The site has its own customFormat function, which only a build can check.');
    }
    const id = named ?? (await findFiles(service, { most: 1, isWanted: isImage }))[0]?.id;
    if (id === undefined) {
      const todo = 'Name one: media-asset doctor --asset <id>.';
      return warning('No image was found to compare a crop of.', todo);
    }
    const fits = await findCropFormat(await openCropCheck(service, id));
    if (fits === customFormat) {
      return ok(`The service's crop of asset ${id} matches its original.`);
    }
    if (fits === undefined) {
      const text = `Asset ${id} looks the same everywhere, so its crops prove nothing.`;
      return warning(text, 'Name an image with detail: media-asset doctor --asset <id>.');
    }
    const todo =
      fits === 'local'
        ? "Set `crops: 'local'` in the integration's options to cut crops on this machine."
        : `Set \`customFormat: '${fits}'\` in the integration's options. The service's crops are right with it.`;
    return problem(`The service's crop of asset ${id} shows something else.`, todo);
  });
}

const maxRecords = 100;

/** Whether the service knows the fields that the site reads, and whether its functions accept them. */
export function checkRecords(
  service: MediaService,
  { rule, languages, id }: { rule: RecordRule; languages: SiteLanguages; id: number | undefined },
): Promise<Diagnosis> {
  const request = requestOf(rule);
  const { fields } = request;
  return check('records', async () => {
    const reader = createRecordReader(service, request);
    const files = { most: maxRecords, request: { fields, processed: false } };
    const found =
      id === undefined
        ? await reader.complete(await findFiles(service, files))
        : await reader.read([id]);
    const sample = Array.from(found.values(), ({ record }) => record);
    if (sample.length === 0) {
      const text = id === undefined ? 'No asset was found.' : `The service has no asset ${id}.`;
      return warning(text, 'Name an asset: media-asset doctor --asset <id>.');
    }
    const unseen = reader.unseen();
    if (unseen.length > 0) {
      const from = sample.length === 1 ? `asset ${sample[0]?.id}` : `${sample.length} assets`;
      return warning(
        `The service sends no ${unseen.map((name) => `\`${name}\``).join(', ')} for ${from}.`,
        'Check the names in `record.fields` and `rights.fields`. If they are right, name an asset that has them: media-asset doctor --asset <id>.',
      );
    }
    const now = Date.now() + service.clockAhead();
    const given = { ...inLanguage(onNoPage, undefined, languages), languages, now };
    for (const known of sample) readKnownRecord(rule, { ...given, id: known.id, known });
    const read = `The site reads ${countOf(sample.length, 'record')}.`;
    return ok(`The service knows ${fields.join(', ')}. ${read}`);
  });
}
