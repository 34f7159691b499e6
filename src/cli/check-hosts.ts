import type { ServiceSettings } from '../options.ts';
import { errorCode } from '../storage/error-code.ts';
import { type Diagnosis, ok, problem, warning } from './diagnosis.ts';

/** How long a host may take, in ms. */
const patience = 10_000;

/** By how much clocks may differ, in ms: less than that is the way of the answer. */
const clockTolerance = 30_000;

interface Reached {
  /** The answer's `Date`, less the time since the request; ms since the epoch. */
  readonly ahead: number | undefined;
}

/** Whether each host of the service answers, and whether its clock and ours agree. */
export async function checkHosts(
  { baseUrl, accountsUrl, authUrl }: ServiceSettings,
  { fetch, clock }: { fetch: typeof globalThis.fetch; clock: () => number },
): Promise<Diagnosis[]> {
  const hosts = [
    ['API host', baseUrl],
    ['token host', accountsUrl ?? baseUrl],
    ['sign-in host', authUrl ?? baseUrl],
  ] as const;
  const found: Diagnosis[] = [];
  let ahead: number | undefined;
  for (const [subject, url] of hosts) {
    try {
      const reached = await reach(url, { fetch, clock });
      found.push(ok(subject, `${url} answers.`));
      ahead ??= reached.ahead;
    } catch (thrown) {
      const todo = 'Check the address, the network, a proxy and its certificate.';
      const text = `${url} cannot be reached: ${reasonOf(thrown)}.`;
      found.push(
        // Only `media-asset login` needs it.
        subject === 'sign-in host' ? warning(subject, text, todo) : problem(subject, text, todo),
      );
    }
  }
  return [...found, clockDiagnosis(ahead)];
}

/** Any answer will do: hosts are asked for no resource that they must have. */
async function reach(
  url: string,
  { fetch, clock }: { fetch: typeof globalThis.fetch; clock: () => number },
): Promise<Reached> {
  const asked = clock();
  const response = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  });
  await response.body?.cancel();
  const answered = clock();
  const date = Date.parse(response.headers.get('date') ?? '');
  const age = Number(response.headers.get('age') ?? 0) * 1000;
  if (Number.isNaN(date) || Number.isNaN(age)) return { ahead: undefined };
  return { ahead: (asked + answered) / 2 - (date + age) };
}

function clockDiagnosis(ahead: number | undefined): Diagnosis {
  if (ahead === undefined) return ok('clock', 'The service does not say its time.');
  const seconds = Math.round(Math.abs(ahead) / 1000);
  if (Math.abs(ahead) <= clockTolerance) return ok('clock', "It agrees with the service's.");
  const way = ahead > 0 ? 'ahead of' : 'behind';
  const text = `This machine's clock is ${seconds} seconds ${way} the service's.`;
  return warning(
    'clock',
    text,
    'Set the clock by NTP: tokens expire, and usages are dated, by this clock.',
  );
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.name === 'TimeoutError') return `no answer within ${patience / 1000} seconds`;
  const { cause } = thrown;
  const reason = errorCode(cause) || (cause instanceof Error ? cause.message : thrown.message);
  return reason.replace(/\.$/, '');
}
