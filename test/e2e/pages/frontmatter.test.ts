/** @module-tag slow */
import { beforeEach, expect, test } from 'vitest';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('bare');

beforeEach(async () => {
  await setup.restore();
  await setup.site.remove('src/pages');
  await setup.site.write('src/content.config.ts', contentConfig);
  await setup.site.write('src/pages/[post].astro', postPage);
});

const contentConfig = `
import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';
import { mediaAsset } from 'astro-media-asset/schema';

const blog = defineCollection({
  loader: glob({ base: './src/content/blog', pattern: '*.md' }),
  schema: z.object({ hero: mediaAsset(), more: z.array(mediaAsset()).optional() }),
});

export const collections = { blog };
`;

const postPage = `---
import { getCollection } from 'astro:content';
import { MediaAsset } from 'astro-media-asset/components';

export async function getStaticPaths() {
  const posts = await getCollection('blog');
  return posts.map(({ id, data }) => ({ params: { post: id }, props: data }));
}

const { hero, more = [] } = Astro.props;
---

<title>Post</title>
{[hero, ...more].map((one) => (
  <MediaAsset alt="An image" {...one} width={60} densities={[1]} />
))}
`;

const writePost = (name: string, ...lines: string[]) =>
  setup.site.write(`src/content/blog/${name}.md`, ['---', ...lines, '---', ''].join('\n'));

test('an entry names its assets by ID, address or object', async () => {
  await writePost('id', 'hero: 4711');
  await writePost('address', 'hero: media:4711?crop=0,0,400,400&priority');
  await writePost(
    'object',
    'hero: { id: 4712, alt: The quay, aspect: 1 }',
    'more: [4711, media:4714?decoration]',
  );
  await outputOf(setup.build());
  expect(setup.pairs()).toEqual([
    '4711 https://bare.example/address/',
    '4711 https://bare.example/id/',
    '4711 https://bare.example/object/',
    '4712 https://bare.example/object/',
    '4714 https://bare.example/object/',
  ]);
  const images = async (post: string) => {
    const html = await setup.site.read(`dist/${post}/index.html`);
    return Array.from(html.matchAll(/<img[^>]*>/g), ([tag]) =>
      ['data-media-asset', 'alt', 'width', 'height', 'loading']
        .map((name) => new RegExp(` ${name}(?:="([^"]*)")?`).exec(tag)?.[1] ?? '')
        .join(' | '),
    );
  };
  expect(await images('id')).toEqual(['4711 | An image | 60 | 45 | lazy']);
  expect(await images('address')).toEqual(['4711 | An image | 60 | 60 | eager']);
  expect(await images('object')).toEqual([
    '4712 | The quay | 60 | 60 | lazy',
    '4711 | An image | 60 | 45 | lazy',
    '4714 |  | 60 | 45 | lazy',
  ]);
});

test('a mistake ends the build, and names the entry, the field and the value', async () => {
  await writePost('quay', 'hero: media:4711?corp=1,2,3,4', 'more: [4711, ./quay.jpg]');
  const output = await outputOf(setup.build(), 1);
  expect(output).toMatch(/blog → quay\b/);
  expect(output).toMatch(
    /hero.*: Unknown parameter `corp` of asset 4711\. Did you mean `crop`\? Valid parameters: crop,/,
  );
  expect(output).toMatch(/more\.1.*: Received "\.\/quay\.jpg"; expected an asset ID, an address/);
});

test("a value that's wrong for the asset ends the build with an error that names the post", {
  tags: ['any-astro'],
}, async () => {
  await writePost('quay', 'hero: media:4711?crop=0,0,40000,400');
  await writePost('pier', 'hero: 4711');
  const output = await outputOf(setup.build(), 1);
  expect(output).toContain('/quay/ (src/pages/[post].astro:');
});

test('a value that the service does not know ends the build with an error that names the post', {
  tags: ['any-astro'],
}, async () => {
  await writePost('quay', 'hero: 9');
  const output = await outputOf(setup.build(), 1);
  expect(output).toMatch(/\/quay\/ \(src\/pages\/\[post\]\.astro:\d+:\d+\)/);
});
