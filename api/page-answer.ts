import { z } from 'zod';
import type { ListPage } from '../db/page.ts';
import type { ResponseText } from './endpoint.ts';
import type { EndpointAnswer } from './send-answer.ts';

const TOTAL_COUNT = 'X-Total-Count';

/** Documents the answer of a list. */
export function pageOf(item: z.ZodType, description = 'One page.'): ResponseText {
  return {
    description,
    schema: z.array(item),
    headers: { [TOTAL_COUNT]: 'All matching items, ignoring `_start` and `_end`.' },
  };
}

/** Answers a page, each item as `view` shows it; the total is left out where the caller did not want it. */
export function answerPage<T>(
  { items, total }: ListPage<T>,
  view: (item: T) => unknown = (item) => item,
): EndpointAnswer {
  return {
    status: 200,
    body: items.map((item) => view(item)),
    headers: total === undefined ? {} : { [TOTAL_COUNT]: String(total) },
  };
}
