import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, slowest first. None of the others takes as long as these. */
const longest = [
  'browser/pictures',
  'browser/cms',
  'e2e/newcomers/import',
  'usage/histories',
  'browser/toolbar-app',
  'browser/import',
  'browser/cms-handler',
  'browser/toolbar',
  'e2e/newcomers/docs-recipes',
  'browser/new-images',
  'e2e/newcomers/package',
  'browser/library',
  'e2e/pages/markdown',
  'browser/picker',
  'e2e/newcomers/guides',
  'e2e/pages/server-output',
  'browser/toolbar-crop',
  'assets/formats/decoding-memory',
  'e2e/builds/reuse',
  'e2e/dev/dev-server',
  'e2e/usages/when-to-report',
  'browser/dev-placeholder',
  'e2e/pages/frontmatter',
  'e2e/builds/config-process',
  'authoring/source/source-attack',
  'e2e/dev/without-credentials',
  'browser/placeholder',
  'browser/gallery',
  'e2e/usages/usages',
  'cli/usage/report',
  'e2e/builds/incremental',
  'e2e/usages/interrupted-report',
  'e2e/pages/types',
  'e2e/pages/records',
  'cli/commands/sign-in',
  'usage/kill',
];

/**
 * Starts the slowest files of a project first, so that no worker is alone with one of them at the end. A
 * worker keeps its process, with all that it has loaded and started, only if the next file is of the same
 * project: each project's files are together. The last project, `unit`, has the shortest files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted(
      (one, other) => one.project.name.localeCompare(other.project.name) || rank(one) - rank(other),
    );
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return at === -1 ? longest.length : at;
}
