// Builds the pages that people see: node web/build.mjs <target folder>. Each folder here with an index.html becomes a folder of
// the target that needs nothing of the others, so that a proxy can serve each page under an address of its own.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// Read by Vite and by the packages that it bundles: another value in the shell would bring their development builds.
process.env.NODE_ENV = 'production';
const { build } = await import('vite');

const web = fileURLToPath(new URL('.', import.meta.url));
const [target = ''] = process.argv.slice(2);

for (const page of readdirSync(web).filter((name) => existsSync(join(web, name, 'index.html'))))
  await build({
    configFile: false,
    // A .env file of the installation has secrets, and settings of the service are nothing for a browser.
    envDir: false,
    root: join(web, page),
    publicDir: false,
    // Relative: the same files serve under any host name and path.
    base: './',
    logLevel: 'warn',
    build: {
      outDir: join(target, page),
      emptyOutDir: true,
      manifest: 'manifest.json',
      license: { fileName: 'licences.md' },
      target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
      // A picture within the script would need a wider Content-Security-Policy and is not cached by itself.
      assetsInlineLimit: 0,
      // The pages are small: what Vite adds to load scripts earlier would be a tenth of them.
      modulePreload: false,
      reportCompressedSize: false,
    },
  });
