import { isDeepStrictEqual } from 'node:util';
import type { Fields } from './http/known-answers.ts';

/** The answers for one asset. A list's entry can lack what the asset's own record has. */
export interface Answers {
  /** Its entry in the list of a folder. */
  readonly listed?: Fields | undefined;
  /** The answer of the call for one record. */
  readonly own?: Fields | undefined;
}

/** Fields that decide something, and those of them that an asset may have without a value. */
export interface DecisiveFields {
  readonly fields: readonly string[];
  readonly optional: readonly string[];
  /** Others. A few own records say what no value in a list means; if lists omit values, all are read. */
  readonly sampled?: readonly string[] | undefined;
}

/** So many own records without a value show that a field without one in any list is empty. */
const mostSamples = 8;

/** What the answers of a run say about a field. */
const unproved = {
  /** An entry of a list had a value. Lists can have `null` for values that they don't load. */
  inLists: false,
  /** An own record had it, if only as `null`. */
  inOwn: false,
  /** An own record didn't have it. */
  ownLack: false,
  /** An own record had no value for an asset whose list has one. */
  ownOmit: false,
  /** Lists had no value for an asset whose own record has one. */
  listsOmit: false,
  /** Lists had another value than an asset's own record, as if they were older. */
  listsDiffer: false,
  /** For so many assets, neither had a value. */
  agreed: 0,
};

export type FieldProofs = ReturnType<typeof createFieldProofs>;

/**
 * Decides which fields of an asset are known. One without a value is empty only if
 *
 * - the asset's own record lacks it, and other own records have it, or
 * - its list lacks it, lists and own records have it for others, and one own record agrees with its list.
 *
 * An optional field needs no own record that has it. Everything else is unknown. No answers prove more:
 * lists may leave out the value of an asset that wasn't compared.
 */
export function createFieldProofs({ fields, optional, sampled = [] }: DecisiveFields) {
  const proofs = new Map([...fields, ...sampled].map((name) => [name, { ...unproved }]));

  function isKnown(name: string, proof: typeof unproved, { listed, own }: Answers): boolean {
    const isOptional = optional.includes(name);
    if (valueIn(own, name) !== undefined) return true;
    if (hasValue(listed, name)) return !proof.listsDiffer;
    if (own && (isOptional || proof.inOwn)) return true;
    const isProved = isOptional || (proof.agreed > 0 && proof.inOwn);
    return Boolean(listed) && proof.inLists && !proof.listsOmit && isProved;
  }

  return {
    /** Takes the answers for an asset, whenever there's a new one. */
    note({ listed, own }: Answers): void {
      for (const [name, proof] of proofs) {
        proof.inLists ||= hasValue(listed, name);
        if (own) proof[valueIn(own, name) === undefined ? 'ownLack' : 'inOwn'] = true;
        if (!listed || !own) continue;
        const [inList, inRecord] = [hasValue(listed, name), hasValue(own, name)];
        if (inList !== inRecord) proof[inList ? 'ownOmit' : 'listsOmit'] = true;
        else if (!inList) proof.agreed += 1;
        else proof.listsDiffer ||= !isDeepStrictEqual(valueIn(listed, name), valueIn(own, name));
      }
    },
    /** The fields of an asset that are unknown. */
    lacking: (answers: Answers): string[] =>
      Array.from(proofs).flatMap(([name, proof]) => (isKnown(name, proof, answers) ? [] : [name])),
    /**
     * Of listed assets that weren't read singly, those to read: one with no value in its list, if it can
     * show what the same means for others, else all of them. Then one that has a value there, if own
     * records lack it. All, once a list had another value than an own record.
     */
    toRead<Asset extends Answers>(name: string, listed: readonly Asset[]): readonly Asset[] {
      const { inLists, inOwn, ownLack, ownOmit, listsOmit, listsDiffer, agreed } =
        proofs.get(name) ?? unproved;
      const isFull = (one: Answers) => hasValue(one.listed, name);
      const [open, full] = [listed.filter((one) => !isFull(one)), listed.filter(isFull)];
      if (!fields.includes(name))
        return listsOmit ? open : open.slice(0, Math.max(0, (inLists ? 1 : mostSamples) - agreed));
      if (listsDiffer) return listed;
      if (open.length > 0 && (!inLists || listsOmit)) return open;
      if (open.length > 0 && agreed === 0) return open.slice(0, 1);
      return ownLack && !inOwn && !ownOmit && !optional.includes(name) ? full.slice(0, 1) : [];
    },
  };
}

function hasValue(fields: Fields | undefined, name: string): boolean {
  return (valueIn(fields, name) ?? null) !== null;
}

/** The value of a field, whose name may be written in another case; `undefined` if there's none. */
export function valueIn(fields: Fields = {}, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  const lower = name.toLowerCase();
  const [same, another] = Object.keys(fields).filter((key) => key.toLowerCase() === lower);
  return same === undefined || another !== undefined ? undefined : fields[same];
}
