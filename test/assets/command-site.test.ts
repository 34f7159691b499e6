import { expect, test } from 'vitest';
import { type CommandSite, handOver, requestSite } from '../../src/assets/command-site.ts';

test('a site is handed over once a command has asked for it', () => {
  const site = { address: 'https://harbour.example' } as CommandSite;
  expect(handOver(site)).toBe(false);
  const given = requestSite();
  expect(given()).toBeUndefined();
  expect(handOver(site)).toBe(true);
  expect(given()).toBe(site);
  Reflect.deleteProperty(globalThis, Symbol.for('astro-media-asset.command'));
});
