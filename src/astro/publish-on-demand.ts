import { fileURLToPath } from 'node:url';
import type { AstroIntegrationLogger } from 'astro';
import { publishNamed } from './publish-renditions.ts';
import { readServerCode } from './read-server-code.ts';
import { serverCode as page } from './refusals.ts';
import type { Session } from './session.ts';

/**
 * Puts the renditions into the output that Markdown on routes rendered on demand names. Nobody knows
 * which pages a server will render: what its code holds counts. Pages that are prerendered come after
 * it, and can show the same Markdown: what was refused is judged with them.
 *
 * @throws as `publishRenditions` does, apart from refused assets
 */
export async function publishOnDemand(
  session: Session,
  logger: AstroIntegrationLogger,
): Promise<void> {
  const { build } = session.config;
  session.markdown.throwIfFailed();
  const { renditions, refused, failures } = await readServerCode(fileURLToPath(build.server));
  if (renditions.length + refused.length + failures.length === 0) return;
  try {
    await session.prepared();
    const named = {
      renditions: renditions.map((address) => ({ address, page })),
      refused: refused.map((id) => ({ id, page })),
      failures,
      assets: [],
    };
    await publishNamed(session, named, { folder: fileURLToPath(build.client), logger });
  } finally {
    await session.images.save();
  }
}
