import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { writePrivate } from '../standalone/home.ts';
import { projectRoot } from '../standalone/project-root.ts';
import { isSame, type BenchFigure } from './figure.ts';

export const FIGURES_FILE = join(projectRoot, '.waybill', 'bench.json');

interface KeptFigures {
  at: string;
  cores: number;
  processor: string;
  node: string;
  figures: BenchFigure[];
}

/** The newest figures of each measure from earlier runs on this machine that were not quick; undefined before the first. */
export function lastFigures(): BenchFigure[] | undefined {
  if (!existsSync(FIGURES_FILE)) return undefined;
  return (JSON.parse(readFileSync(FIGURES_FILE, 'utf8')) as KeptFigures).figures;
}

/** Writes the figures in the place of the earlier ones of the same measures. */
export function keepFigures(figures: readonly BenchFigure[]): void {
  const others = (lastFigures() ?? []).filter((earlier) => !figures.some(isSame(earlier)));
  const kept: KeptFigures = {
    at: new Date().toISOString(),
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    node: process.versions.node,
    figures: [...others, ...figures].sort((a, b) => a.measure.localeCompare(b.measure)),
  };
  mkdirSync(join(projectRoot, '.waybill'), { recursive: true });
  writePrivate(FIGURES_FILE, kept);
}
