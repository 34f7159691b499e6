/** The props that the toolbar changes, in the order in which they're written. */
export const changeable = ['id', 'crop', 'aspect', 'focus', 'alt'] as const;

export type ChangeableProp = (typeof changeable)[number];

/** The props that are written before a new one. */
export function earlierProps(name: string): readonly string[] {
  return changeable.slice(0, Math.max(1, changeable.indexOf(name as ChangeableProp)));
}
