import { joinParts, type PartRun } from './join-parts.ts';
import type { NamePart } from './name-part.ts';
import { partSimilarity, type PartSimilarity } from './part-similarity.ts';

/** Computes the similarity of the parts of one query to listed parts, with a cache. */
export interface CompareParts {
  /** Compares a part of the query, given by its index. */
  part: (query: number, listed: NamePart) => PartSimilarity;
  /** Compares a run of query parts joined to one part. */
  run: (run: PartRun, listed: NamePart) => PartSimilarity;
  /** A run of query parts joined to one part. */
  joined: (run: PartRun) => NamePart;
}

/** More than the maximum number of parts of a name. */
const RUNS = 32;

/** A comparer for one query. Interned listed parts occur often, so each is compared only once per part and run. */
export function comparing(query: readonly NamePart[]): CompareParts {
  const parts = query.map((part) => remembering(part));
  const runs = new Map<number, ReturnType<typeof remembering>>();
  const runOf = (run: PartRun) => {
    const key = run.start * RUNS + run.length;
    let known = runs.get(key);
    if (known === undefined) runs.set(key, (known = remembering(joinParts(query, run))));
    return known;
  };
  return {
    part: (index, listed) => (parts[index] as ReturnType<typeof remembering>).with(listed),
    run: (run, listed) => runOf(run).with(listed),
    joined: (run) => runOf(run).own,
  };
}

function remembering(own: NamePart) {
  const known = new Map<number, PartSimilarity>();
  const compareOnce = (listed: NamePart): PartSimilarity => {
    const remembered = known.get(listed.id);
    if (remembered !== undefined) return remembered;
    const similarity = partSimilarity(own, listed);
    if (listed.id >= 0) known.set(listed.id, similarity);
    return similarity;
  };
  return { own, with: compareOnce };
}
