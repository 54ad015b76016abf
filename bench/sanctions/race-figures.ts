import type { BenchFigure } from '../figure.ts';
import { percentile } from '../statistics.ts';
import type { SanctionsRace, RaceSide } from './race-blocks.ts';
import type { VersionChanges } from './swap-under-load.ts';
import { WATCHMAN_VERSION } from './watchman-binary.ts';

const P99_MS = 20;
const ADDRESS_P99_MS = 5;
const BUILD_MS = 1_000;
const MEMORY_MB = 150;
const MEMORY_NAMES = 50_000;

const sideText = ({ rate, p50, p99 }: RaceSide) =>
  `${Math.round(rate)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

/** `disk` says how long the disk takes to keep what ours writes with every answer; watchman writes nothing. */
export function raceFigure(
  names: string,
  { ours, theirs, ratio }: SanctionsRace,
  { goal, disk }: { goal: number; disk: string },
): BenchFigure {
  return {
    measure: 'l',
    name: `screening of names, ${names}`,
    value: `${ratio?.toFixed(1) ?? 'no'} times (${sideText(ours)})`,
    comparedTo: theirs
      ? `watchman ${WATCHMAN_VERSION} (${sideText(theirs)}; ${disk})`
      : `nothing, watchman cannot be had here (${disk})`,
    goal: `${goal} times, p99 ${P99_MS} ms`,
    met: (ratio ?? 0) >= goal && ours.p99 <= P99_MS,
    reason: ratio === undefined ? 'nothing to compare to' : undefined,
  };
}

export function addressFigure(times: readonly number[]): BenchFigure {
  const p99 = percentile(times, 0.99);
  return {
    measure: 'l',
    name: 'look-up of an address, the history written, one after the other',
    value: `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    comparedTo: 'nothing',
    goal: `p99 ${ADDRESS_P99_MS} ms`,
    met: p99 <= ADDRESS_P99_MS,
  };
}

/** `again` is the CPU time of a second build, by code that is compiled; the goal is for the first. */
export function indexFigure(buildMs: number, again: number): BenchFigure {
  return {
    measure: 'l',
    name: 'building the index for 40,000 names',
    value: `${Math.round(buildMs)} ms of CPU time, the table of wallets aside`,
    comparedTo: `a second time, when the code is compiled, ${Math.round(again)} ms`,
    goal: `${BUILD_MS} ms`,
    met: buildMs <= BUILD_MS,
  };
}

export function memoryFigure(grownMb: number, names: number): BenchFigure {
  const scaled = (grownMb * MEMORY_NAMES) / names;
  return {
    measure: 'l',
    name: `memory of the api for ${MEMORY_NAMES} names`,
    value: `${Math.round(scaled)} MB (${Math.round(grownMb)} MB for ${names}, the thread itself included)`,
    comparedTo: 'the same process before it had a list',
    goal: `${MEMORY_MB} MB`,
    met: scaled <= MEMORY_MB,
  };
}

export function swapFigure({ requests, failures, switchMs, p99 }: VersionChanges): BenchFigure {
  const seconds = switchMs.map((ms) => (ms / 1_000).toFixed(1)).join(' s and ');
  const [first] = failures;
  return {
    measure: 'l',
    name: 'a new list version and the one before it again, under load',
    value: `${failures.length} of ${requests} requests failed (p99 ${p99.toFixed(1)} ms; searched ${seconds} s after the operator's answer)`,
    comparedTo: 'nothing',
    goal: 'none failed',
    met: failures.length === 0,
    ...(first !== undefined && { reason: first }),
  };
}
