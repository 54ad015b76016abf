import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { projectRoot } from './project-root.ts';

/** Writes the workflows as one file for the worker, out of the TypeScript sources; run by the build step. */
const target = join(projectRoot, 'dist', 'workflow-bundle.js');
const { code } = await bundleWorkflowCode({ workflowsPath: join(projectRoot, 'workflows', 'index.ts') });
await writeFile(`${target}.new`, code);
await rename(`${target}.new`, target);
