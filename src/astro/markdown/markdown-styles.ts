import { fileURLToPath } from 'node:url';

/** The component's stylesheet, in the package's `src` folder also when this runs from `dist`. */
const stylesheet = fileURLToPath(
  new URL('../../components/media-asset.css', import.meta.url),
).replace(/([\\/])dist([\\/]components[\\/][^\\/]+)$/, '$1src$2');

/** Found in an image that needs the stylesheet. */
export const styledMarker = /data-media-asset-layout\b/;

/** Astro's own modules, such as the text of all entries, and code of packages. */
const others = /^\0astro:|node_modules.*\.[cm]?js$/;
const markdown = /\.mdx?(?:\?|$)/;
const collections = /\bget(?:Collection|Entry|Entries)\b/;
const content = /['"]astro:content['"]/;

/** Imports the stylesheet in modules that show images of Markdown, if an image needs it. */
export function markdownStyles(inCollections: () => boolean) {
  const name = JSON.stringify(stylesheet.replaceAll('\\', '/'));
  return {
    name: 'astro-media-asset/markdown-styles',
    enforce: 'post' as const,
    transform: {
      filter: { id: { exclude: others }, code: { include: [styledMarker, content] } },
      handler(code: string, id: string) {
        const isShown = markdown.test(id)
          ? styledMarker.test(code)
          : !id.includes('node_modules') &&
            !others.test(id) &&
            collections.test(code) &&
            content.test(code) &&
            inCollections();
        return isShown ? { code: `import ${name};\n${code}`, map: null } : undefined;
      },
    },
  };
}
