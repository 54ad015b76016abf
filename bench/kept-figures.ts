import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../standalone/project-root.ts';
import { isSame, type BenchFigure } from './figure.ts';

const FILE = join(projectRoot, '.waybill', 'bench.json');

interface KeptFigures {
  at: string;
  cores: number;
  processor: string;
  node: string;
  figures: BenchFigure[];
}

/** The newest figures of each measure from earlier whole runs on this machine; undefined before the first. */
export function lastFigures(): BenchFigure[] | undefined {
  if (!existsSync(FILE)) return undefined;
  return (JSON.parse(readFileSync(FILE, 'utf8')) as KeptFigures).figures;
}

/** Writes the figures in the place of the earlier ones of the same measures; returns the name of the file. */
export function keepFigures(figures: readonly BenchFigure[]): string {
  const others = (lastFigures() ?? []).filter((earlier) => !figures.some(isSame(earlier)));
  const kept: KeptFigures = {
    at: new Date().toISOString(),
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    node: process.versions.node,
    figures: [...others, ...figures].sort((a, b) => a.measure.localeCompare(b.measure)),
  };
  mkdirSync(join(projectRoot, '.waybill'), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify(kept, undefined, 2)}\n`);
  return FILE;
}
