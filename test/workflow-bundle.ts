import { join } from 'node:path';
import { projectRoot } from '../standalone/project-root.ts';

/** The workflows as the product runs them; `npm test` builds them first. */
export const bundle = { codePath: join(projectRoot, 'dist', 'workflow-bundle.js') };
