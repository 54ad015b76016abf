import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { projectRoot } from './project-root.ts';

/** Bundles the TypeScript sources of the workflows into one file for the worker; run by the build step. */
const target = join(projectRoot, 'dist', 'workflow-bundle.js');
const { code } = await bundleWorkflowCode({ workflowsPath: join(projectRoot, 'workflows', 'index.ts') });
await writeFile(`${target}.new`, code);
await rename(`${target}.new`, target);
