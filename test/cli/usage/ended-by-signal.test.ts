import { beforeEach, describe, expect, test } from 'vitest';
import { findRedis, startRedis } from '../../support/process/start-redis.ts';
import { folder, server, startReport, useUsageProject, writePages } from './usage-project.ts';

useUsageProject();
beforeEach(writePages);

/** In ms. It takes two seconds at most, and a busy machine more. Without an end of its own, it takes minutes. */
const longest = 20_000;

/** Left open by something else, such as a package. */
const open = { NODE_OPTIONS: '--import=data:text/javascript,setInterval(()=>{},1e6)' };

/** Sends SIGTERM during the requests, and then lets the service answer. Returns how long the end takes. */
async function endingTime(environment: Record<string, string>, beforeAnswer = () => {}) {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let requests = 0;
  server.treat = async () => {
    requests += 1;
    // One for each page. A request that isn't sent yet would never be.
    if (requests === 2) asked.resolve();
    await answered.promise;
    return 'done' as const;
  };
  const started = startReport({ words: ['--json'], environment });
  await Promise.race([asked.promise, started.ended]);
  started.end('SIGTERM');
  await started.says('Finishing the current requests.');
  beforeAnswer();
  answered.resolve();
  const start = performance.now();
  const { exitCode, stdout } = await started.ended;
  return { time: performance.now() - start, exitCode, stdout };
}

describe('SIGTERM ends a report soon after the last answer', () => {
  test('with its ledger in a file', async () => {
    const { time, exitCode } = await endingTime({});
    expect(exitCode).toBe(0);
    expect(time).toBeLessThan(longest);
  });

  test('even if something is left open', async () => {
    const { time, exitCode, stdout } = await endingTime(open);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ reported: 3 });
    expect(time).toBeLessThan(longest);
  });

  test.skipIf(!findRedis()).each([
    ['answers', () => {}],
    ['has stopped answering', (redis: { pause(): void }) => redis.pause()],
  ] as const)('with its ledger in a Redis that %s', async (_, change) => {
    const redis = await startRedis();
    await folder.build({ service: server.url, store: 'redis' });
    const ended = await endingTime({ MEDIA_ASSET_STATE_URL: redis.url }, () => change(redis));
    redis.resume();
    await redis.stop();
    expect(ended.time).toBeLessThan(longest);
  });
});
