// Runs on a fresh clone: Node and nothing else. node standalone/prepare.mjs <entry> [arguments] | --build
import './check-node.mjs';
import process from 'process';

import('./preparation.mjs')
  .then(async ({ prepareProject, runEntry }) => {
    const [entry, ...args] = process.argv.slice(2);
    await prepareProject();
    if (entry && entry !== '--build') await runEntry(entry, args);
  })
  .catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
