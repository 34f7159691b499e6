import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { createMediaService } from 'astro-media-asset/service';
import { hero } from './examples.ts';

const { id } = hero.props;

/** Writes into the first page what only a finished build knows: the hero's weight, and the pages that show its asset. */
export function measured(base: string): AstroIntegration {
  return {
    name: 'measured',
    hooks: {
      async 'astro:build:done'({ dir, pages }) {
        const dist = fileURLToPath(dir);
        const first = join(dist, 'index.html');
        const html = await readFile(first, 'utf8');
        const texts = { sizes: await sizes(html), pages: await pagesWith(pages) };
        const filled = html.replace(
          /(<span data-measured="(sizes|pages)"[^>]*>)(<\/span>)/g,
          (_, start, name: keyof typeof texts, end) => start + texts[name] + end,
        );
        await writeFile(first, filled);

        async function sizes(html: string) {
          const [shown = ''] = /<div class="shown\b[\s\S]*?<img [^>]*>/.exec(html) ?? [];
          const addresses = shown.matchAll(/[^\s",]*\/_astro\/media-asset\/[^\s",]+/g);
          const files = [...new Set(Array.from(addresses, ([one]) => one.slice(base.length)))];
          const bytes = await Promise.all(
            files.map(async (one) => (await stat(join(dist, one))).size),
          );
          const [least, most] = [Math.min(...bytes), Math.max(...bytes)].map((one) =>
            inKilobytes(one),
          );
          return `The original has ${inKilobytes(await originalSize())}\u00a0kB, and visitors get ${least} to ${most}\u00a0kB.`;
        }

        async function pagesWith(all: readonly { pathname: string }[]) {
          const found = await Promise.all(
            all.map(async ({ pathname }) => {
              const page = await readFile(join(dist, pathname, 'index.html'), 'utf8').catch(
                () => '',
              );
              if (!pathname || !page.includes(`data-media-asset="${id}"`)) return [];
              const [title = ''] = /(?<=<title>)[^<|]*[^<|\s]/.exec(page) ?? [];
              return `<a href="${base}${pathname}">${title}</a>`;
            }),
          );
          const links = ['this page', ...found.flat().sort()].join(' and ');
          return `For the photograph above, this website's build has reported ${links}.`;
        }
      },
    },
  };
}

function inKilobytes(bytes: number): string {
  return Math.round(bytes / 1000).toLocaleString('en');
}

/** In bytes, from the service that the build uses. */
async function originalSize(): Promise<number> {
  const { env } = process;
  const service = createMediaService({
    baseUrl: env.MEDIA_ASSET_BASE_URL ?? '',
    clientId: env.MEDIA_ASSET_CLIENT_ID ?? '',
    clientSecret: env.MEDIA_ASSET_CLIENT_SECRET ?? '',
    credentials: {
      kind: 'password',
      username: env.MEDIA_ASSET_USERNAME ?? '',
      password: env.MEDIA_ASSET_PASSWORD ?? '',
    },
  });
  const download = await service.files.original(Number(id));
  if (download.status !== 'received') throw new Error(`Asset ${id} is not there.`);
  return (await new Response(download.body).arrayBuffer()).byteLength;
}
