import { type Finding, finding } from '../errors.ts';
import { called, checkAttributes, type GivenAttributes } from './check-attributes.ts';
import { nearProp } from './near-prop.ts';

/**
 * Checks what pages give to the elements of components. An attribute that is probably a mistyped
 * prop is told of, once a run: it is no error, since pages may have attributes that nobody here knows.
 *
 * @returns a check that throws as `checkAttributes` does
 */
export function createAttributeCheck(
  onFinding: (found: Finding) => void,
): (given: GivenAttributes) => void {
  const seen = new Set<string>();
  return (given) => {
    checkAttributes(given);
    const { component, id, page, attributes, pictures = {} } = given;
    const tell = (owner: typeof component, name: string, key: string) => {
      if (seen.has(`${component} ${name}`)) return;
      seen.add(`${component} ${name}`);
      const near = nearProp(owner, key);
      if (near === undefined || near === key) return;
      const details = { page, component: called(component), id, name, near };
      onFinding(finding('warning', 'prop-unknown', page, details));
    };
    for (const name of namesIn(attributes)) tell(component, name, name);
    for (const [prop, value] of Object.entries(pictures)) {
      for (const key of [value].flat().flatMap(namesIn)) tell('MediaAsset', `${prop}.${key}`, key);
    }
  };
}

function namesIn(value: unknown): string[] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return entries.flatMap(([name, one]) => (one === undefined ? [] : [name]));
}
