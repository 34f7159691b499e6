/** Reads a publication history once, and prints the figures of `history.ts` as JSON. */
import { fileStateStore } from '../src/usage/ledger/open-state-store.ts';
import { loadHistory } from '../src/usage/ledger/publication-history.ts';
import type { HistoryOrder } from './history.ts';

const { path, service } = JSON.parse(process.argv[2] ?? '') as HistoryOrder;
const start = performance.now();
await loadHistory(fileStateStore({ path }), service);
process.stdout.write(JSON.stringify({ read: performance.now() - start }));
