import * as z from 'zod';
import { compare } from '../../scan/manifest.ts';
import { assetId } from './last-run.ts';

export const projectUseSchema = z.strictObject({
  project: z.string(),
  contact: z.string(),
  description: z.string(),
  amount: z.string(),
  types: z.array(z.string()),
  ids: z.array(assetId),
});

/** Assets, in ascending order, that a project uses and no page shows, with the fields of the use. */
export type ProjectUse = Readonly<z.output<typeof projectUseSchema>>;

/** A change of what is wanted for assets in a project. */
export interface UseChange {
  readonly project: string;
  readonly ids: readonly number[];
  /** Whether the uses end. */
  readonly remove: boolean;
  /** Fields to set. A known use keeps the others. */
  readonly given: Partial<ProjectUse>;
  /** Of a new use, unless they are given. */
  readonly defaults: Omit<ProjectUse, 'project' | 'ids'>;
}

/** Groups uses with equal fields, in order of project and fields. */
export function changeUses(
  known: readonly ProjectUse[] = [],
  { project, ids, remove, given, defaults }: UseChange,
): ProjectUse[] {
  const single = known.flatMap((use) => use.ids.map((id) => ({ ...use, ids: [id] })));
  const isMeant = (use: ProjectUse) => use.project === project && ids.includes(use.ids[0] ?? 0);
  const changed = (remove ? [] : ids).map((id) => {
    const before = single.find((use) => isMeant(use) && use.ids[0] === id);
    return { ...defaults, ...before, ...given, project, ids: [id] };
  });
  const keyOf = ({ project, contact, description, amount, types }: ProjectUse) =>
    JSON.stringify([project, contact, description, amount, types]);
  const groups = Map.groupBy([...single.filter((use) => !isMeant(use)), ...changed], keyOf);
  return [...groups]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([, [first, ...others]]) => {
      const same = new Set([first, ...others].flatMap((use) => use?.ids ?? []));
      return first ? { ...first, ids: [...same].sort((a, b) => a - b) } : [];
    });
}

/** The manifest of uses: each project is a page, also the project of a change that has none left. */
export function usesManifest(uses: readonly ProjectUse[], { project }: UseChange) {
  const projects = new Set([...uses.map((use) => use.project), project]);
  const pages = [...projects].sort(compare).map((page) => {
    const own = uses.filter((use) => use.project === page);
    const assets = own.flatMap(({ ids }) => ids).sort((a, b) => a - b);
    return { page, pageName: '', assets, uses: own };
  });
  return { site: '', base: '', pages, findings: [] };
}
