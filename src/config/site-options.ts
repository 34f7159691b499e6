import type { AstroIntegration } from 'astro';

/** Where the integration keeps its options, so that commands can read them from an Astro config. */
const optionsKey = Symbol.for('astro-media-asset.options');

/** Adds the site's own options to the integration. */
export function withOptions(input: unknown, integration: AstroIntegration): AstroIntegration {
  return Object.assign(integration, { [optionsKey]: input });
}

/** The site's own options, if the value is our integration. */
export function optionsOf(integration: unknown): { readonly input: unknown } | undefined {
  const isOurs =
    typeof integration === 'object' && integration !== null && optionsKey in integration;
  return isOurs ? { input: integration[optionsKey] } : undefined;
}
