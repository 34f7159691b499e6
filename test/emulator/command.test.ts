import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emulator } from '../../src/cli/commands/emulator.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'command-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('the command', () => {
  test('runs until its signal is aborted', async () => {
    const ended = new AbortController();
    const printed: string[] = [];
    const code = await emulator(
      { port: 0, media: '.', data: '.emulator', fields: 'alttext' },
      {
        out: (text) => {
          printed.push(text);
          ended.abort();
        },
        note: (text) => printed.push(text),
        signal: ended.signal,
        environment: { MEDIA_ASSET_EMULATOR_PASSWORD: 'lantern' },
        directory: folder,
      },
    );
    expect(code).toBe(0);
    expect(printed).toHaveLength(1);
    expect(printed[0]).toMatch(/^Media Asset Service emulator: http:\/\/127\.0\.0\.1:\d+\n/);
    expect(printed[0]).toContain('MEDIA_ASSET_PASSWORD=lantern');
    const url = printed[0]?.match(/http:\S+/)?.[0] ?? '';
    await expect(fetch(url)).rejects.toThrow();
  });
});
