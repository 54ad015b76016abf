import { joinParts, type PartRun } from './join-parts.ts';
import type { NamePart } from './name-part.ts';
import { partSimilarity, type PartSimilarity } from './part-similarity.ts';

/** Looks up or works out how alike the parts of one query and listed parts are. */
export interface CompareParts {
  /** A part of the query, by position. */
  part: (query: number, listed: NamePart) => PartSimilarity;
  /** Parts of the query written as one. */
  run: (run: PartRun, listed: NamePart) => PartSimilarity;
  /** These parts of the query as one. */
  joined: (run: PartRun) => NamePart;
}

/** More than a name may have parts. */
const RUNS = 32;

/** Interned parts come again and again: each is compared with each part and run of the query once. */
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
    part: (place, listed) => (parts[place] as ReturnType<typeof remembering>).with(listed),
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
