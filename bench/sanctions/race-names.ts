import { dataFolder, readCleanNames, readPerturbed } from './quality-data.ts';

const CHANGED = [
  'sub_last',
  'del_last',
  'transp_last',
  'first_letter_last',
  'both_typo',
  'drop_middle',
  'reorder',
  'join_all',
];
/** Of 20 names: 16 clean customers, 3 listed with a change, 1 as listed. */
const MIX = 20;
const CLEAN = 16;
const EXACT = 19;
/** Has no factor in common with the length of any set: every name comes once before one comes again. */
const STRIDE = 7919;

type Names = (at: number) => string;

/** Names by their place; the same place is the same name in every run. */
export interface RaceNames {
  /** 80 % clean customers, 15 % listed names with a change, 5 % as listed. */
  mix: Names;
  /** The listed ones of that mix alone. */
  listed: Names;
  isSample: boolean;
}

export function readRaceNames(): RaceNames {
  const { folder, isSample } = dataFolder();
  const clean = inAnyOrder(readCleanNames(folder).map(({ name }) => name));
  const changed = inAnyOrder(CHANGED.flatMap((set) => readPerturbed(folder, set).map(({ name }) => name)));
  const exact = inAnyOrder(readPerturbed(folder, 'exact').map(({ name }) => name));
  const mix = (at: number) => {
    const kind = at % MIX;
    if (kind < CLEAN) return clean(at);
    return kind === EXACT ? exact(at) : changed(at);
  };
  const listed = (at: number) => (at % (MIX - CLEAN) === 0 ? exact(at) : changed(at));
  return { mix, listed, isSample };
}

function inAnyOrder(names: readonly string[]): Names {
  return (at) => {
    const name = names[(at * STRIDE) % names.length];
    if (name === undefined) throw new Error('the names of the race are missing');
    return name;
  };
}
