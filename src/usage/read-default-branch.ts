import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const eventSchema = z.object({ repository: z.object({ default_branch: z.string().min(1) }) });

/**
 * The repository's default branch, from the event that GitHub Actions leaves in a file;
 * `undefined` where there is none, or it does not say: then no branch counts as production.
 */
export async function readDefaultBranch(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const path = environment.GITHUB_EVENT_PATH;
  if (!path) return undefined;
  try {
    const event = eventSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return event.data?.repository.default_branch;
  } catch {
    return undefined;
  }
}
