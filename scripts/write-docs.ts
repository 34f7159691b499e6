/** Writes the generated parts of the docs: `npm run docs`. */
import { readFile, writeFile } from 'node:fs/promises';
import { generatedDocs } from './generated-docs.ts';

for (const [path, text] of await generatedDocs((file) => readFile(file, 'utf8'))) {
  await writeFile(path, text);
}
