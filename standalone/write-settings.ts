import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageWithSettings } from './settings-table.ts';
import { projectRoot } from './project-root.ts';

/** `npm run docs:settings`: writes the tables of settings in docs/operating.md from their schema. */
const file = join(projectRoot, 'docs', 'operating.md');
writeFileSync(file, pageWithSettings(readFileSync(file, 'utf8')));
