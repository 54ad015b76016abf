import { ListFault } from './list-fault.ts';
import type { ListFile } from './list-file.ts';
import { listText } from './list-text.ts';
import type { Reading } from './reading.ts';

export interface JsonLine {
  /** Undefined for a line that is no JSON object. */
  value: Record<string, unknown> | undefined;
  /** Counted from 1. */
  line: number;
}

/** The lines of a file of one JSON object each. A last line that is no JSON and has no end is one that was cut off. */
export async function* jsonLines(file: ListFile, reading: Reading): AsyncGenerator<JsonLine> {
  let rest = '';
  let line = 0;
  for await (const text of listText(file.content, { startsAs: 'JSON' }, reading)) {
    const lines = text.split('\n');
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    for (const whole of lines) {
      line++;
      yield* lineOf(whole, line, reading);
    }
    if (rest.length > reading.limits.textLength) throw new ListFault('TOO_LARGE');
  }
  for (const last of lineOf(rest, line + 1, reading)) {
    if (last.value === undefined) throw new ListFault('TRUNCATED');
    yield last;
  }
}

function lineOf(text: string, line: number, reading: Reading): JsonLine[] {
  if (text.length > reading.limits.textLength) throw new ListFault('TOO_LARGE');
  return text.trim() === '' ? [] : [{ value: parsed(text), line }];
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
