import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../../storage/file-problems.ts';
import { replaceFile, writeOutput } from '../../storage/replace-file.ts';
import { changeConfig, type OptionCode } from './config-file.ts';
import { ignoreFiles, setVariables } from './env-file.ts';
import type { ServiceFacts } from './probe-service.ts';
import { recordRule } from './record-rule.ts';

export interface FileChange {
  /** Its path from the site's folder. */
  readonly name: string;
  /** `undefined` if it isn't there. */
  readonly before: string | undefined;
  /** `undefined` if a person has to change it. */
  readonly after: string | undefined;
}

export const samplePage = 'src/pages/media-asset.astro';

/** The options that a service needs besides its variables. */
export function neededOptions({ crops, image }: ServiceFacts): OptionCode {
  const record = image && recordRule(image);
  return {
    ...(crops === 'corners' && { customFormat: `'corners'` }),
    ...(crops === 'local' && { crops: `'local'` }),
    ...(record && { record }),
  };
}

/** The variables that reach a service, by name. Those with a default value are left out. */
function neededVariables({ settings }: ServiceFacts): Record<string, string> {
  const { baseUrl, accountsUrl, clientId, clientSecret, tokenEncoding, downloads } = settings;
  const { kind: _, ...secrets }: Record<string, string> = settings.credentials;
  const byVariable: Record<string, string | undefined> = {
    MEDIA_ASSET_BASE_URL: baseUrl,
    MEDIA_ASSET_ACCOUNTS_URL: accountsUrl === baseUrl ? undefined : accountsUrl,
    MEDIA_ASSET_CLIENT_ID: clientId,
    MEDIA_ASSET_CLIENT_SECRET: clientSecret,
    MEDIA_ASSET_USERNAME: secrets.username,
    MEDIA_ASSET_PASSWORD: secrets.password,
    MEDIA_ASSET_REFRESH_TOKEN: secrets.refreshToken,
    MEDIA_ASSET_ACCESS_TOKEN: secrets.accessToken,
    MEDIA_ASSET_TOKEN_ENCODING: tokenEncoding === 'form' ? undefined : tokenEncoding,
    MEDIA_ASSET_DOWNLOADS: downloads === 'bytes' ? undefined : downloads,
  };
  return Object.fromEntries(
    Object.entries(byVariable).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

/** Plans the files of a site in `directory` whose config is `config`. Throws what reading them throws. */
export async function planFiles(
  directory: string,
  { config, site, facts }: { config: string; site: string | undefined; facts: ServiceFacts },
): Promise<FileChange[]> {
  const plan = async (name: string, toAfter: (text: string) => string | undefined) => {
    const before = await readFile(join(directory, name), 'utf8').catch(ignoreMissing);
    return { name, before, after: toAfter(before ?? '') };
  };
  const { image } = facts;
  const files = [
    // Git ignores secrets before they're there.
    await plan('.gitignore', (text) => ignoreFiles(text, ['.env', '.media-asset/'])),
    await plan('.env', (text) => setVariables(text, neededVariables(facts))),
    await plan(config, (text) => changeConfig(text, { site, options: neededOptions(facts) })),
  ];
  // Someone who runs it again may have deleted the page.
  const isFirst = files.some(({ before, after }) => before !== after);
  if (image === undefined || !isFirst || existsSync(join(directory, samplePage))) return files;
  return [...files, { name: samplePage, before: undefined, after: pageOf(image.id) }];
}

function pageOf(id: number): string {
  return `---
// Delete this page when you have seen the image.
import { MediaAsset } from 'astro-media-asset/components';
---

<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>An image of the media service</title>
  </head>
  <body>
    <MediaAsset id={${id}} width={800} alt="An image of the media service" />
  </body>
</html>
`;
}

/** Secrets are for their owner alone. */
export async function writeChange(directory: string, { name, after }: FileChange): Promise<void> {
  if (after === undefined) return;
  const path = join(directory, name);
  if (name === '.env') await replaceFile(path, after, 'owner');
  else await writeOutput(path, after);
}
