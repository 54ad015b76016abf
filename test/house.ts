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
  return arrowsOf(sourcesIn(folder)).filter(({ to }) => to.startsWith(`${folder}/`));
}

/** Every import by these files of files of ours, of values and of types alike. */
export function arrowsOf(files: readonly string[]): Arrow[] {
  return files.flatMap((from) =>
    [...textOf(from).matchAll(/(?:\bfrom |\bimport\(|\bimport )'(\.[^']+)'/g)].map(([, path = '']) => ({
      from,
      to: posix.join(posix.dirname(from), path),
    })),
  );
}

/** The folders that have files and sub-folders, or several sub-folders, below `folder` and with it. */
export function dividedFolders(folder: string): string[] {
  const folders = new Set([folder, ...sourcesIn(folder).map((file) => posix.dirname(file))]);
  const parents = new Set([...folders].filter((one) => one !== folder).map((one) => posix.dirname(one)));
  return [...parents].sort();
}

/** The room of a file: the folder right below `folder`, or the file itself where it lies there directly. */
export function roomOf(folder: string, file: string): string {
  return posix.relative(folder, file).split('/')[0] ?? '';
}

/** The imports that lead in a circle from room to room: each is an arrow that one of its rooms could do without. */
export function arrowsInCircles(folder: string, arrows: readonly Arrow[]): string[] {
  return circularArrows(arrows, (file) => roomOf(folder, file));
}

/** The imports that lead in a circle, between files or between the rooms that `nodeOf` gives them. */
export function circularArrows(
  arrows: readonly Arrow[],
  nodeOf: (file: string) => string = (file) => file,
): string[] {
  const between = arrows.filter(({ from, to }) => nodeOf(from) !== nodeOf(to));
  const steps = new Map<string, Set<string>>();
  for (const { from, to } of withoutEnds(between, nodeOf))
    steps.set(nodeOf(from), (steps.get(nodeOf(from)) ?? new Set()).add(nodeOf(to)));
  return between
    .filter(({ from, to }) => leadsTo(steps, nodeOf(to), nodeOf(from)))
    .map(({ from, to }) => `${from} -> ${to}`);
}

/** The arrows left when those from or to a node that nothing leads to, or that leads nowhere, are taken off again and again. */
function withoutEnds(arrows: readonly Arrow[], nodeOf: (file: string) => string): readonly Arrow[] {
  const sources = new Set(arrows.map(({ from }) => nodeOf(from)));
  const targets = new Set(arrows.map(({ to }) => nodeOf(to)));
  const left = arrows.filter(({ from, to }) => targets.has(nodeOf(from)) && sources.has(nodeOf(to)));
  return left.length === arrows.length ? left : withoutEnds(left, nodeOf);
}

function leadsTo(steps: ReadonlyMap<string, ReadonlySet<string>>, start: string, goal: string): boolean {
  const seen = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === goal) return true;
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...(steps.get(node) ?? []));
  }
  return false;
}

/**
 * The names of what a module keeps: variables, typed arrays, and constants that a function of it writes to. Found by the text,
 * so only what a line of its own or an expression names is seen.
 */
export function stateOfModule(text: string): string[] {
  const declared = [...text.matchAll(/^(?:export )?(let|var|const) (\w+)\b(.*)$/gm)];
  return declared
    .filter(([, kind, name = '', rest = '']) => {
      if (kind !== 'const' || /\bnew \w+Array\(/.test(rest)) return true;
      const property = String.raw`(?:\.\w+|\[[^\]]*\])+`;
      const write = String.raw`delete ${name}\b|(?<!: )\b${name}${property} *(?:[-+*/|&?]{0,2}=(?!=)|\+\+|--)|\b${name}(?:${property})?\.(?:set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill)\(`;
      return new RegExp(String.raw`^[ \t].*(?:${write})`, 'm').test(text);
    })
    .map(([, , name = '']) => name);
}
