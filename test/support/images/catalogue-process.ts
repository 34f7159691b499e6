/** One of several processes that save a catalogue. Saves an addition when it gets a message. */
import { openCatalogue } from '../../../src/assets/store/catalogue.ts';

const { cacheDir, ids } = JSON.parse(process.argv[2] ?? '{}') as {
  cacheDir: string;
  ids: { first: number; last: number };
};
const service = 'https://dam.example';
const catalogue = openCatalogue({
  cacheDir,
  clock: Date.now,
  onFinding: (found) => console.error(found),
});
for (let id = ids.first; id <= ids.last; id += 1) {
  catalogue.issueFile(`${id}-${'0'.repeat(16)}-file.pdf`, {
    source: { reference: { kind: 'file', service, id }, hash: 'ab'.repeat(32) },
    path: `media-asset/${id}.pdf`,
    contentType: 'application/pdf',
    size: 1000,
    guarded: [],
    originalUrl: `${service}/1/file/${id}/download/0`,
  });
  catalogue.setChecked(service, id);
}
process.once('message', async () => {
  await catalogue.save();
  process.disconnect();
});
process.send?.('ready');
