import { exportLine } from './export-line.ts';
import { readRunning } from './running-product.ts';

/** `eval "$(npm run -s env)"`: sets the address and the keys of a running `npm start` in a shell. */
try {
  console.log(exportLine(readRunning()));
} catch (error) {
  console.error(error instanceof Error ? error.message : 'The keys could not be read');
  process.exitCode = 1;
}
