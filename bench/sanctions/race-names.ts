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
/** 20 names are 16 clean customers, 3 listed names with a change, and 1 as listed. */
const CLEAN = 16;
const CHANGED_AND_EXACT = 4;
const MIX = CLEAN + CHANGED_AND_EXACT;
/** Has no common factor with the length of any set, so every name is used once before one is repeated. */
const STRIDE = 7919;

type Names = (at: number) => string;

/** Functions from a position to a name; the same in every run. */
export interface RaceNames {
  /** 80 % clean customers, 15 % listed names with a change, 5 % as listed. */
  mix: Names;
  /** Only the listed names of that mix. */
  listed: Names;
  isSample: boolean;
}

/** Reads the names of the race from the test sets. */
export function readRaceNames(): RaceNames {
  const { folder, isSample } = dataFolder();
  const clean = inAnyOrder(readCleanNames(folder).map(({ name }) => name));
  const changed = inAnyOrder(CHANGED.flatMap((set) => readPerturbed(folder, set).map(({ name }) => name)));
  const exact = inAnyOrder(readPerturbed(folder, 'exact').map(({ name }) => name));
  const listed = (at: number) => {
    const round = Math.floor(at / CHANGED_AND_EXACT);
    const kind = at % CHANGED_AND_EXACT;
    return kind === 0 ? exact(round) : changed(round * (CHANGED_AND_EXACT - 1) + kind - 1);
  };
  const mix = (at: number) => {
    const round = Math.floor(at / MIX);
    const kind = at % MIX;
    return kind < CLEAN ? clean(round * CLEAN + kind) : listed(round * CHANGED_AND_EXACT + kind - CLEAN);
  };
  return { mix, listed, isSample };
}

function inAnyOrder(names: readonly string[]): Names {
  return (at) => {
    const name = names[(at * STRIDE) % names.length];
    if (name === undefined) throw new Error('the names of the race are missing');
    return name;
  };
}
