import { expect, test } from 'vitest';
import { markdownStyles } from '../../../src/astro/markdown/markdown-styles.ts';

const entries = "import { getCollection, render } from 'astro:content';";
const image = '<img data-media-asset-layout="constrained">';

test.each([
  ['/site/src/notes/quay.md', image, true],
  ['/site/src/notes/quay.md', '<img>', false],
  ['/site/node_modules/notes/quay.md', image, true],
  ['/site/src/pages/notes.astro', entries, true],
  ['\0virtual:posts', entries, true],
  ['\0astro:data-layer-content', `export default ${JSON.stringify(entries)}`, false],
  ['/site/node_modules/theme/notes.js', entries, false],
])('%j with %j gets the stylesheet: %s', (id, code, isStyled) => {
  const { transform } = markdownStyles(() => true);
  const isPassed = !transform.filter.id.exclude.test(id);
  expect(isPassed && transform.handler(code, id) !== undefined).toBe(isStyled);
});
