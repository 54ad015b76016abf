// `npm run client:types`: writes src/openapi.ts from the OpenAPI document of the built product. Needs the npm registry.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { serveDocs } from '../../dist/api/docs-page.js';
import { endpointsOf } from '../../dist/api/endpoints.js';
import { hashOf, typedPartOf } from './typed-part.mjs';

/** The generator uses the compiler's JavaScript API, which the project's own version of the compiler does not have. */
const GENERATOR = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const TARGET = fileURLToPath(new URL('src/openapi.ts', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'waybill-types-'));
try {
  const document = await readDocument();
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(typedPartOf(document)));
  generate();
  writeFileSync(TARGET, `${header(document)}\n${readFileSync(join(folder, 'openapi.ts'), 'utf8')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The document as a sandbox serves it: production lacks the endpoints of the sandbox. */
async function readDocument() {
  const app = express();
  serveDocs(app, endpointsOf('sandbox'));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${server.address().port}/openapi.json`);
  const document = await response.json();
  server.close();
  server.closeAllConnections();
  return document;
}

function generate() {
  const packages = GENERATOR.flatMap((name) => ['--package', name]);
  const args = ['openapi.json', '--output', 'openapi.ts', '--alphabetize', '--default-non-nullable=false'];
  execFileSync('npx', ['--yes', ...packages, 'openapi-typescript', ...args], {
    cwd: folder,
    stdio: 'inherit',
  });
}

function header(document) {
  return `// Made by \`npm run client:types\`; do not edit. Document: sha256 ${hashOf(document)}`;
}
