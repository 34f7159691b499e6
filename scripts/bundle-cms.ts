/** Writes the modules for CMSs, each as one file that a page without a bundler can load: `dist/cms`. */
import { build } from 'esbuild';

await build({
  entryPoints: ['src/authoring/cms/decap.ts'],
  outdir: 'dist/cms',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2024',
});
