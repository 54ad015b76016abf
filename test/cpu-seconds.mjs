import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Linux counts the time of ended children in hundredths of a second, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of this process since its start, and of all children that it has waited for (0 where there is no /proc). */
export function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + childrenSeconds();
}

function childrenSeconds() {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The second field is the name of the program in brackets, and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [ofChildrenAsUser, ofChildrenAsSystem] = fields.slice(13, 15).map(Number);
  return (ofChildrenAsUser + ofChildrenAsSystem) / TICKS_PER_SECOND;
}
