import { z } from 'zod';
import type { ListPage } from '../db/page.ts';
import type { ResponseText } from './endpoint.ts';
import type { EndpointAnswer } from './send-answer.ts';

const TOTAL_COUNT = 'X-Total-Count';

/** Documents the response of a list endpoint: an array of items, and their total number in X-Total-Count. */
export function pageOf(item: z.ZodType, description = 'One page.'): ResponseText {
  return {
    description,
    schema: z.array(item),
    headers: { [TOTAL_COUNT]: 'All matching items, ignoring `_start` and `_end`.' },
  };
}

/** Answers 200 with a page of items, each mapped by `view`. X-Total-Count is absent if the total was not counted. */
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
