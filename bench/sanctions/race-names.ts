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
const CLEAN = 16;
const CHANGED_AND_EXACT = 4;
const MIX = CLEAN + CHANGED_AND_EXACT;
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
