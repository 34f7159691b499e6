import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';
import { mediaAsset } from 'astro-media-asset/schema';

const posts = defineCollection({
  loader: glob({ base: './src/content/posts', pattern: '**/*.md' }),
  schema: z.object({
    title: z.string(),
    hero: mediaAsset(),
    teaser: mediaAsset({ optional: true }),
  }),
});

export const collections = { posts };
