import type { Usage } from '../../../src/service/requests.ts';
import type { MediaService } from '../../../src/service/types.ts';
import { startLocalServer } from '../service/local-server.ts';
import { tokenClient } from '../service/token-client.ts';
import {
  createServiceModel,
  overwriting,
  type Semantics,
  type ServiceModel,
} from './service-model.ts';

/** How the server treats a request. `lost` is carried out, `reset` isn't. Neither is answered. */
export type Treatment =
  | 'done'
  | 'lost'
  | 'reset'
  | {
      readonly status: number;
      /** The IDs of the request that are carried out nevertheless. */
      readonly partly?: readonly number[];
      readonly body?: string;
      readonly type?: string;
      /** Seconds, as `Retry-After`. */
      readonly retryAfter?: number;
    };

export interface UsageServer {
  readonly url: string;
  readonly model: ServiceModel;
  /** Every request, in order of arrival. */
  readonly log: Usage[];
  /** Decides on a request; `index` counts from the last `reset` of the log. */
  treat: (usage: Usage, index: number) => Treatment | Promise<Treatment>;
  /** The answer to a listing: an asset's records, or the status of a refusal. */
  list: (id: number) => 'records' | number | Promise<'records' | number>;
  /** A client of this server that makes each call once. */
  client(): MediaService;
  close(): Promise<void>;
}

/** A service that takes usages over HTTP, keeps them in a model, and fails on demand. */
export async function startUsageServer({
  semantics = overwriting,
  absent = 200,
}: {
  semantics?: Semantics;
  /** The answer to a removal of a missing usage. */
  absent?: number;
} = {}): Promise<UsageServer> {
  const model = createServiceModel(semantics);
  const log: Usage[] = [];
  const server = await startLocalServer(async (request, response) => {
    if (request.method === 'GET') {
      const id = Number(/^\/1\/file\/(\d+)\/usage/.exec(request.url ?? '')?.[1]);
      const answer = await usageServer.list(id);
      const records = model.records.filter((record) => record.id === id);
      response.writeHead(answer === 'records' ? 200 : answer, {
        'Content-Type': 'application/json',
      });
      return void response.end(JSON.stringify(answer === 'records' ? records : {}));
    }
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const usage: Usage = {
      ids: body.id,
      page: body.web.page,
      pageName: body.web.pageName,
      project: body.project,
      contact: body.contact,
      description: body.description,
      date: body.date,
      removed: body.removed === 'true',
    };
    log.push(usage);
    const treatment = await usageServer.treat(usage, log.length - 1);
    if (treatment === 'reset') return void request.socket.destroy();
    if (treatment === 'done' || treatment === 'lost') {
      const found = model.apply(usage);
      if (treatment === 'lost') return void request.socket.destroy();
      response.writeHead(found ? 200 : absent, { 'Content-Type': 'application/json' });
      return void response.end('{}');
    }
    if (treatment.partly) model.apply({ ...usage, ids: treatment.partly });
    const { retryAfter } = treatment;
    response.writeHead(treatment.status, {
      'Content-Type': treatment.type ?? 'application/json',
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    });
    response.end(treatment.body ?? '{}');
  });
  const { url } = server;
  const usageServer: UsageServer = {
    url,
    model,
    log,
    treat: () => 'done',
    list: () => 'records',
    client: () => tokenClient(url, 'token', { attempts: 1 }),
    close: server.close,
  };
  return usageServer;
}
