import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../standalone/project-root.ts';

export const README = readFileSync(join(projectRoot, 'README.md'), 'utf8');

/** The blocks of shell commands in the README's story, in their order. */
export function storyOfReadme(): string[] {
  const [, story = ''] = README.split('## The story, to paste\n');
  const [chapter = ''] = story.split('\n## ');
  return [...chapter.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}
