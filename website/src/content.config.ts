import { defineCollection } from 'astro:content';
import { docsSchema } from '@astrojs/starlight/schema';
import { z } from 'astro/zod';
import { loadDocs } from './docs/load-docs.ts';
import { loadErrors } from './docs/load-errors.ts';

export const collections = {
  docs: defineCollection({
    loader: loadDocs(),
    schema: docsSchema({ extend: z.object({ heading: z.string().optional() }) }),
  }),
  errors: defineCollection({ loader: loadErrors(), schema: z.object({ group: z.string() }) }),
};
