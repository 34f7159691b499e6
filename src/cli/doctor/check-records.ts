import { type RecordRule, readKnownRecord } from '../../assets/records/records.ts';
import { countOf } from '../../errors/wording.ts';
import { createRecordReader } from '../../service/read-records.ts';
import type { FileRecord, MediaService } from '../../service/types.ts';
import { type Diagnosis, ok, problemOf, warning } from './diagnosis.ts';

const subject = 'records';

const maxFolders = 50;
const maxRecords = 100;

/** Whether the service knows the fields that the site reads, and whether `record.read` accepts them. */
export async function checkRecords(
  service: MediaService,
  { rule, id }: { rule: RecordRule; id: number | undefined },
): Promise<Diagnosis> {
  const { fields } = rule;
  try {
    const sample = await readSample(service, { fields, id });
    if (sample.length === 0) {
      const text = id === undefined ? 'No asset was found.' : `The service has no asset ${id}.`;
      return warning(subject, text, 'Name an asset: media-asset doctor --asset <id>.');
    }
    const unknown = fields.filter((name) =>
      sample.every((record) => record.fields[name] === undefined),
    );
    if (unknown.length > 0) {
      const from = sample.length === 1 ? `asset ${sample[0]?.id}` : `${sample.length} assets`;
      return warning(
        subject,
        `The service sends no ${unknown.map((name) => `\`${name}\``).join(', ')} for ${from}.`,
        'Check the names in `record.fields`. If they are right, name an asset that has them: media-asset doctor --asset <id>.',
      );
    }
    const request = { now: Date.now(), rights: { unknown: 'allow', warnDays: 0 } } as const;
    for (const record of sample) readKnownRecord(rule, { ...record, ...request });
    const read = countOf(sample.length, 'record');
    return ok(subject, `The service knows ${fields.join(', ')}. \`record.read\` accepts ${read}.`);
  } catch (thrown) {
    return problemOf(subject, thrown);
  }
}

/** One asset, or the first ones of the first folder that has any. */
async function readSample(
  service: MediaService,
  { fields, id }: { fields: readonly string[]; id: number | undefined },
): Promise<FileRecord[]> {
  if (id !== undefined) {
    const found = await createRecordReader(service, { fields }).read([id]);
    return Array.from(found.values(), ({ record }) => record);
  }
  const folders = await service.folders.tree();
  for (const folder of folders.slice(0, maxFolders)) {
    const sample: FileRecord[] = [];
    for await (const record of service.folders.files(folder.id, { fields, processed: false })) {
      sample.push(record);
      if (sample.length === maxRecords) break;
    }
    if (sample.length > 0) return sample;
  }
  return [];
}
