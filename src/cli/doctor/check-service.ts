import { customFormats } from '../../assets/geometry/custom-format-parameters.ts';
import { checkCrops } from '../../assets/renditions/check-crops.ts';
import type { ServiceSettings } from '../../config/service-settings.ts';
import { describe, isMediaAssetError } from '../../errors/errors.ts';
import { causeOf } from '../../service/http/redactor.ts';
import { sendRequest } from '../../service/http/send-request.ts';
import type { FileRecord, MediaService } from '../../service/types.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { type Diagnosis, ok, problem, problemOf, warning } from './diagnosis.ts';

/** Time limit per host, in ms. */
const hostTimeout = 10_000;

export async function checkHosts({
  baseUrl,
  accountsUrl,
  authUrl,
}: ServiceSettings): Promise<Diagnosis[]> {
  const hosts = [
    ['API host', baseUrl],
    ['token host', accountsUrl ?? baseUrl],
    ['sign-in host', authUrl ?? baseUrl],
  ] as const;
  const found: Diagnosis[] = [];
  for (const [subject, url] of hosts) {
    try {
      // Any answer counts, because hosts have no page that must exist.
      const signal = AbortSignal.timeout(hostTimeout);
      const response = await sendRequest(new URL(url), { method: 'HEAD', signal });
      await response.body?.cancel();
      found.push(ok(subject, `${url} answers.`));
    } catch (thrown) {
      const reason = reasonOf(thrown);
      const { hint: todo } = describe('service-unreachable', { call: subject, reason });
      const text = `${url} can't be reached: ${reason}.`;
      found.push(
        // Only `media-asset login` needs this host.
        subject === 'sign-in host' ? warning(subject, text, todo) : problem(subject, text, todo),
      );
    }
  }
  return found;
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = causeOf(thrown) ?? thrown;
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return `no answer within ${hostTimeout / 1000} seconds`;
  return cause.message.replace(/\.$/, '');
}

const subject = 'crops';

const maxFolders = 50;

const imageName = /\.(jpe?g|png|webp|avif|tiff?)$/i;

/** Compares one of the service's crops with our own. */
export async function checkServiceCrops(
  service: MediaService,
  { id: named, settings }: { id: number | undefined; settings: BuildRules['settings'] },
): Promise<Diagnosis> {
  const { crops, customFormat = 'size' } = settings ?? {};
  if (crops === 'local') return ok(subject, 'Crops are cut on this machine (crops: local).');
  if (customFormat === 'own') {
    const text = 'The site has its own customFormat function, which only a build can check.';
    return ok(subject, text);
  }
  try {
    const id = named ?? (await findImage(service))?.id;
    if (id === undefined) {
      const text = 'No image was found to compare a crop of.';
      return warning(subject, text, 'Name one: media-asset doctor --asset <id>.');
    }
    const found = await checkCrops({
      service,
      id,
      customFormat: customFormats[customFormat],
    });
    if (found.agrees && found.conclusive) {
      return ok(subject, `The service's crop of asset ${id} matches its original.`);
    }
    if (found.agrees) {
      const text = `Asset ${id} looks the same everywhere, so its crops prove nothing.`;
      return warning(subject, text, 'Name an image with detail: media-asset doctor --asset <id>.');
    }
    const text = `The crop of asset ${id} is wrong: expected ${found.expected}, received ${found.received}.`;
    return problem(subject, text, await suggestFix(service, { id, customFormat }));
  } catch (thrown) {
    return problemOf(subject, thrown);
  }
}

async function suggestFix(
  service: MediaService,
  { id, customFormat }: { id: number; customFormat: 'size' | 'corners' },
): Promise<string> {
  const other = customFormat === 'size' ? 'corners' : 'size';
  const local = "Set `crops: 'local'` in the integration's options to cut crops on this machine.";
  try {
    const found = await checkCrops({ service, id, customFormat: customFormats[other] });
    return found.agrees && found.conclusive
      ? `Set \`customFormat: '${other}'\` in the integration's options. The service's crops are right with it.`
      : local;
  } catch (thrown) {
    if (isMediaAssetError(thrown)) return local;
    throw thrown;
  }
}

async function findImage(service: MediaService): Promise<FileRecord | undefined> {
  const folders = await service.folders.tree();
  for (const { id } of folders.slice(0, maxFolders)) {
    for await (const file of service.folders.files(id)) {
      if (imageName.test(file.filename ?? file.name ?? '')) return file;
    }
  }
  return undefined;
}
