import { fileURLToPath } from 'node:url';

/** The workflows as the product runs them; `npm test` builds them first. */
export const bundle = { codePath: fileURLToPath(new URL('../dist/workflow-bundle.js', import.meta.url)) };
