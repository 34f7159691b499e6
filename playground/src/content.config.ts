import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';

const picture = z.strictObject({
  /** The asset's ID in the service. */
  asset: z.int().positive(),
  /** In pixels of the original as displayed. */
  crop: z.strictObject({ x: z.int(), y: z.int(), width: z.int(), height: z.int() }).optional(),
  alt: z.string(),
  caption: z.string(),
});

const stories = defineCollection({
  loader: glob({ base: './src/content/stories', pattern: '*.md' }),
  schema: z.strictObject({
    title: z.string(),
    summary: z.string(),
    date: z.coerce.date(),
    lead: picture,
    plate: picture,
  }),
});

export const collections = { stories };
