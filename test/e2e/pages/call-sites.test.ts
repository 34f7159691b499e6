import { expect, test } from 'vitest';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('main-job');

/** One call of each form, with an asset that the service doesn't know: 9001 and so on. */
const sources: Record<string, string> = {
  'src/pages/quay.astro': `---
import { MediaAsset, MediaAsset as Photo, MediaFile } from 'astro-media-asset/components';
import * as media from 'astro-media-asset/components';
import Base from '../layouts/Base.astro';
interface Props { readonly wide?: boolean }
const { wide } = Astro.props as Props;
const image = { id: 4711, alt: 'In a variable' };
---
<Base title={\`The quay \${wide ?? ''}\`}>
  <!-- <Photo id={9000} alt="In a comment" /> -->
  <h1>Grüße vom Kai 🚢</h1> 🚢 <Photo id={9001} alt="After an emoji" />
  <Photo
    class:list={['wide', { wide }]}
    alt="In several lines, with a > and a {"
    id={9002}
  />
  <Photo {...image} {...{ id: 9003 }} alt="Spread" />
\t<media.MediaAsset slot="aside" id={9004} alt="Of a namespace, in another slot" />
  {[9005].map((id) => <MediaAsset {id} alt={"<Photo id={9000} />"} />)}
  {wide || (<><MediaFile id={9006}>A file <MediaAsset id={9007} alt="In a slot" /></MediaFile></>)}
  <h2>A</h2><Photo {...{ id: 9010, alt: 'Nothing but a spread' }} />
  <p>{'<MediaAsset id={9000} />'}</p><MediaAsset id={9008} alt="After a text that looks like one" />
  <MediaAsset id={4712} alt="The quay" />
</Base>
<style>img { border: 0 }</style>
<script>console.log('<MediaAsset id={9000} />');</script>
`,
  'src/layouts/Base.astro': `---\r
import Frame from '../components/Frame.astro';\r
const { title } = Astro.props;\r
---\r
<html lang="en">\r
  <head><title>{title}</title></head>\r
  <body><Frame><slot /><slot name="aside" /></Frame></body>\r
</html>\r
`,
  'src/components/Frame.astro': '<main><slot /></main>\n<footer><Logo /></footer>\n'.replace(
    /^/,
    "---\nimport Logo from './Logo.astro';\n---\n",
  ),
  'src/components/Logo.astro': `---
import MediaAsset from 'astro-media-asset/MediaAsset.astro';
---
<p>
  <MediaAsset id={9009} alt="Three levels down" />
</p>
`,
};

/** `file:line:column` of the tag with this ID. */
function siteOf(id: number): string {
  for (const [file, source] of Object.entries(sources)) {
    const at = source.indexOf(id === 9005 ? '{id}' : String(id));
    if (at < 0) continue;
    const lines = source
      .slice(0, source.lastIndexOf([9003, 9010].includes(id) ? '<Photo' : '<', at) + 1)
      .split('\n');
    return `${file}:${lines.length}:${lines.at(-1)?.length}`;
  }
  throw new Error(`No source has ${id}.`);
}

test('an error names the page, and the file, line and column of each call', async () => {
  for (const [file, source] of Object.entries(sources)) await setup.site.write(file, source);
  const output = await outputOf(setup.build(), 1);
  for (const id of [9001, 9002, 9003, 9004, 9005, 9006, 9007, 9008, 9009, 9010]) {
    expect(output).toContain(`asset ${id} (404) on /quay/ (${siteOf(id)})`);
  }
  expect(output).not.toContain('9000');
});
