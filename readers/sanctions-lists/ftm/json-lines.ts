import { textLines } from '../../text-lines.ts';
import { ListFault } from '../list-fault.ts';
import { listText, type ListFile } from '../list-text.ts';
import type { ReadingState } from '../reading-state.ts';

interface JsonLine {
  /** Undefined for a line that is no JSON object. */
  value: Record<string, unknown> | undefined;
  /** Counted from 1. */
  line: number;
}

/** The lines of a file of one JSON object each. A last line that is no JSON and has no end is one that was cut off. */
export async function* jsonLines(file: ListFile, reading: ReadingState): AsyncGenerator<JsonLine> {
  const text = listText(file.content, { startsAs: 'JSON' }, reading);
  for await (const { text: whole, line, hasEnd } of textLines(text, reading.limits.textLength)) {
    if (whole.trim() === '') continue;
    const value = parsed(whole);
    if (value === undefined && !hasEnd) throw new ListFault('TRUNCATED');
    yield { value, line };
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
