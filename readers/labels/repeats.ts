import { createHash } from 'node:crypto';
import type { NewLabel } from '../../domain/labels/label.ts';

const DIGEST_BYTES = 8;

/**
 * Leaves out what was said before in the same file. Remembers eight bytes for each label: of a million not one is likely to
 * be taken for another.
 */
export function withoutRepeats(): {
  next: (labels: readonly NewLabel[]) => NewLabel[];
  repeated: () => number;
} {
  const seen = new Set<string>();
  let repeated = 0;
  const isNew = ({ addressKey, type, label, entityId }: NewLabel) => {
    const text = JSON.stringify([addressKey, type, label, entityId]);
    const digest = createHash('sha256').update(text).digest().toString('latin1', 0, DIGEST_BYTES);
    if (seen.has(digest)) repeated += 1;
    return seen.size < seen.add(digest).size;
  };
  return { next: (labels) => labels.filter(isNew), repeated: () => repeated };
}
