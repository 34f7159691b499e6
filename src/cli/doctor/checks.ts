import { customFormats } from '../../assets/geometry/custom-format-parameters.ts';
import { type RecordRule, readKnownRecord } from '../../assets/records/records.ts';
import { openCropCheck } from '../../assets/renditions/compare-crops.ts';
import type { Environment } from '../../config/options.ts';
import type { ServiceSettings } from '../../config/service-settings.ts';
import {
  hintWithCode,
  ignoreOurs,
  isMediaAssetError,
  mediaAssetError,
} from '../../errors/errors.ts';
import { countOf } from '../../errors/wording.ts';
import { openTokenStore, type StoredTokens } from '../../service/index.ts';
import { createRecordReader } from '../../service/read-records.ts';
import type { MediaService } from '../../service/types.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { findFiles, isImage } from '../init/probe-service.ts';

export interface Diagnosis extends Outcome {
  readonly subject: string;
}

interface Outcome {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly todo: string | null;
}

/** Checks a subject. An error of ours is a problem. */
export async function check(subject: string, work: () => Promise<Outcome>): Promise<Diagnosis> {
  try {
    return { subject, ...(await work()) };
  } catch (thrown) {
    if (!isMediaAssetError(thrown)) throw thrown;
    return { subject, ...problem(thrown.message, hintWithCode(thrown)) };
  }
}

export const ok = (text: string): Outcome => ({ state: 'ok', text, todo: null });
export const warning = (text: string, todo: string): Outcome => ({ state: 'warning', text, todo });
const problem = (text: string, todo: string): Outcome => ({ state: 'problem', text, todo });

/** Who signs in, where the credentials come from, and when they expire. Names no secret. */
export async function signInText(
  settings: ServiceSettings,
  environment: Environment,
): Promise<string> {
  const { baseUrl: service, clientId, credentials, tokens: place } = settings;
  const store = openTokenStore({ service, clientId, credentials, ...place, environment });
  const tokens = await store?.read();
  const { kind } = credentials;
  if (kind === 'authorization-code' && tokens === undefined) {
    throw mediaAssetError('sign-in-missing', { service });
  }
  const user = kind === 'password' ? `${credentials.username}, ` : '';
  const client = clientId && `, client ID ${clientId}`;
  const kept = store && tokens ? `, tokens kept in ${store.name}` : '';
  const expiry = kind === 'access-token' ? 'unknown, never renewed' : expiryText(tokens);
  return `${user}${sources[kind]} (${kind})${client}${kept}; expires: ${expiry}.`;
}

const sources: Readonly<Record<ServiceSettings['credentials']['kind'], string>> = {
  password: 'MEDIA_ASSET_USERNAME and MEDIA_ASSET_PASSWORD',
  'refresh-token': 'MEDIA_ASSET_REFRESH_TOKEN',
  'access-token': 'MEDIA_ASSET_ACCESS_TOKEN',
  'authorization-code': 'media-asset login',
};

function expiryText(tokens: StoredTokens | undefined): string {
  if (tokens === undefined) return 'each run requests its own token';
  const { expiresAt, refreshToken } = tokens;
  const renewed = refreshToken === undefined ? '' : ', renewed as needed';
  if (expiresAt === undefined) return `unknown (the service doesn't say)${renewed}`;
  const ended = expiresAt <= Date.now() ? ' (expired)' : '';
  const again = ended && !renewed ? ': run media-asset login again' : '';
  return `${new Date(expiresAt).toISOString()}${ended}${renewed}${again}`;
}

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
    const { compare } = await openCropCheck(service, id);
    const found = await compare(customFormats[customFormat]);
    if (found.agrees && found.conclusive) {
      return ok(`The service's crop of asset ${id} matches its original.`);
    }
    if (found.agrees) {
      const text = `Asset ${id} looks the same everywhere, so its crops prove nothing.`;
      return warning(text, 'Name an image with detail: media-asset doctor --asset <id>.');
    }
    const text = `The crop of asset ${id} is wrong: expected ${found.expected}, received ${found.received}.`;
    const other = customFormat === 'size' ? 'corners' : 'size';
    const fits = await compare(customFormats[other]).catch(ignoreOurs);
    const todo =
      fits?.agrees && fits.conclusive
        ? `Set \`customFormat: '${other}'\` in the integration's options. The service's crops are right with it.`
        : "Set `crops: 'local'` in the integration's options to cut crops on this machine.";
    return problem(text, todo);
  });
}

const maxRecords = 100;

/** Whether the service knows the fields that the site reads, and whether `record.read` accepts them. */
export function checkRecords(
  service: MediaService,
  { rule, id }: { rule: RecordRule; id: number | undefined },
): Promise<Diagnosis> {
  const { fields } = rule;
  return check('records', async () => {
    const sample =
      id === undefined
        ? await findFiles(service, { most: maxRecords, request: { fields, processed: false } })
        : Array.from(
            (await createRecordReader(service, { fields }).read([id])).values(),
            ({ record }) => record,
          );
    if (sample.length === 0) {
      const text = id === undefined ? 'No asset was found.' : `The service has no asset ${id}.`;
      return warning(text, 'Name an asset: media-asset doctor --asset <id>.');
    }
    const unknown = fields.filter((name) =>
      sample.every((record) => record.fields[name] === undefined),
    );
    if (unknown.length > 0) {
      const from = sample.length === 1 ? `asset ${sample[0]?.id}` : `${sample.length} assets`;
      return warning(
        `The service sends no ${unknown.map((name) => `\`${name}\``).join(', ')} for ${from}.`,
        'Check the names in `record.fields`. If they are right, name an asset that has them: media-asset doctor --asset <id>.',
      );
    }
    const request = { now: Date.now(), rights: { unknown: 'allow', warnDays: 0 } } as const;
    const forbidden = sample.filter(
      (record) => readKnownRecord(rule, { ...record, ...request }).verdict.state === 'forbidden',
    ).length;
    const read = countOf(sample.length, 'record');
    const notShown = forbidden > 0 ? `, and forbids to show ${forbidden} of their assets` : '';
    return ok(
      `The service knows ${fields.join(', ')}. \`record.read\` accepts ${read}${notShown}.`,
    );
  });
}
