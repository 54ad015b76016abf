import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { projectRoot } from '../standalone/project-root.ts';

/** An import of one of our files by another; paths from the project's root. */
export interface Arrow {
  from: string;
  to: string;
}

/** The folders that the compiler builds, without those that only install, measure, explain or run tests. */
export function productFolders(): string[] {
  const { include } = JSON.parse(textOf('tsconfig.build.json')) as { include: string[] };
  return include.filter((folder) => !['bench', 'examples', 'standalone'].includes(folder));
}

/** The files of code below a folder, by their paths from the project's root. */
export function sourcesIn(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|mjs|js)$/.test(file))
    .map((file) => posix.join(folder, file))
    .sort();
}

export function textOf(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8');
}

/** Every import between files below a folder, of values and of types alike. */
export function arrowsIn(folder: string): Arrow[] {
  return sourcesIn(folder).flatMap((from) =>
    [...textOf(from).matchAll(/(?:\bfrom |\bimport\(|\bimport )'(\.[^']+)'/g)]
      .map(([, path = '']) => ({ from, to: posix.join(posix.dirname(from), path) }))
      .filter(({ to }) => to.startsWith(`${folder}/`)),
  );
}

/** The room of a file: the folder right below `folder`, or the file itself where it lies there directly. */
export function roomOf(folder: string, file: string): string {
  return posix.relative(folder, file).split('/')[0] ?? '';
}

/** The imports that lead in a circle from room to room: each is an arrow that one of its rooms could do without. */
export function arrowsInCircles(folder: string, arrows: readonly Arrow[]): string[] {
  const steps = new Map<string, Set<string>>();
  for (const { from, to } of arrows) {
    const [a, b] = [roomOf(folder, from), roomOf(folder, to)];
    if (a !== b) steps.set(a, (steps.get(a) ?? new Set()).add(b));
  }
  const leadsTo = (start: string, goal: string): boolean => {
    const seen = new Set<string>();
    const open = [start];
    for (let room = open.pop(); room !== undefined; room = open.pop()) {
      if (room === goal) return true;
      if (seen.has(room)) continue;
      seen.add(room);
      open.push(...(steps.get(room) ?? []));
    }
    return false;
  };
  return arrows
    .filter(({ from, to }) => roomOf(folder, from) !== roomOf(folder, to))
    .filter(({ from, to }) => leadsTo(roomOf(folder, to), roomOf(folder, from)))
    .map(({ from, to }) => `${from} -> ${to}`);
}
