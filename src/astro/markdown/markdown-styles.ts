import { fileURLToPath } from 'node:url';

/** The component's own stylesheet; it lies beside it in the package, compiled or not. */
const stylesheet = fileURLToPath(
  new URL('../../components/media-asset.css', import.meta.url),
).replace(/([\\/])dist([\\/]components[\\/][^\\/]+)$/, '$1src$2');

/** What a picture of Markdown carries where it needs styles. */
export const styledMarker = /data-media-asset-(?:layout|frame)\b/;

const markdown = /\.mdx?(?:\?|$)/;
const collections = /\bget(?:Collection|Entry|Entries)\b[\s\S]*['"]astro:content['"]/;

/**
 * Gives the stylesheet to modules that show pictures of Markdown which need it.
 *
 * @param inCollections whether an entry of a content collection has such a picture
 */
export function markdownStyles(inCollections: () => boolean) {
  const name = JSON.stringify(stylesheet.replaceAll('\\', '/'));
  return {
    name: 'astro-media-asset/markdown-styles',
    enforce: 'post' as const,
    transform(code: string, id: string) {
      const isShown = markdown.test(id)
        ? styledMarker.test(code)
        : !id.includes('node_modules') && collections.test(code) && inCollections();
      return isShown ? { code: `import ${name};\n${code}`, map: null } : undefined;
    },
  };
}
