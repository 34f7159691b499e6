import { satteri } from '@astrojs/markdown-satteri';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import mediaAsset from 'astro-media-asset';
import linksValidator from 'starlight-links-validator';
import { homepage } from '../src/errors/homepage.ts';
import { docsFolder } from './src/docs/docs-folder.ts';
import { docsLinks } from './src/docs/docs-links.ts';
import { sidebar } from './src/docs/sidebar.ts';
import { measured } from './src/measured.ts';

/** Where the website is published. */
const address = new URL(process.env.WEBSITE_URL || homepage || 'http://localhost:4321/');
const base = address.pathname.replace(/\/?$/, '/');
/** Such as `https://github.com/OWNER/NAME`. Without it, pages have no links to the repository. */
const repository = process.env.WEBSITE_REPOSITORY;

export default defineConfig({
  site: address.origin,
  base,
  trailingSlash: 'always',
  // Images of the docs are as large as they should be. Those of the pages come from the integration.
  image: { service: passthroughImageService() },
  markdown: {
    processor: satteri({
      features: { smartPunctuation: false },
      mdastPlugins: [docsLinks({ base, repository })],
    }),
  },
  // The images of the docs, in the dev server.
  vite: { server: { fs: { allow: ['..'] } } },
  integrations: [
    starlight({
      title: 'astro-media-asset',
      description:
        "Use your DAM's images in Astro by ID, and keep its usage records in sync with what you publish.",
      favicon: '/mark.svg',
      customCss: ['./src/styles/site.css'],
      components: { Hero: './src/components/Hero.astro' },
      // The docs aren't in the folder where Starlight expects them.
      markdown: { processedDirs: [docsFolder] },
      ...(repository && {
        editLink: { baseUrl: `${repository}/edit/main/website/` },
        social: [{ icon: 'github', label: 'GitHub', href: repository }],
      }),
      expressiveCode: {
        themes: ['github-dark', 'github-light'],
        shiki: { langAlias: { 'go-html-template': 'html' } },
      },
      plugins: [
        linksValidator({
          errorOnLocalLinks: false,
          // The validator only knows pages of the docs. `scripts/check.ts` follows these.
          exclude: [`${base}errors/**`, `${base}examples/**`],
        }),
      ],
      sidebar: sidebar(),
    }),
    measured(base),
    mediaAsset({
      // The files are a few percent larger, and the build takes a third less.
      images: { effort: 1 },
      record: {
        fields: ['alttext', 'photographer'],
        read: ({ alttext, photographer }) => ({
          alt: alttext,
          credit: photographer && `© ${photographer}`,
        }),
      },
    }),
  ],
});
