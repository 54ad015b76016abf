import type { z } from 'zod';
import { NoAnswer } from '../chains/ask-node.ts';

/** What a node or an indexer has answered, in the expected form. Throws NoAnswer for any other. */
export function parseAnswer<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new NoAnswer('unexpected answer');
  return parsed.data;
}
