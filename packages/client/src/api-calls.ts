import type { ReceivedAnswer } from './exchange.ts';
import { Listing } from './listing.ts';
import type { AnswerOf, CallOptions, Method, PathOf, QueryOf, SendRequest } from './operations.ts';
import { prepareRequest, type ApiAddress, type UnsentRequest } from './prepare-request.ts';
import type { RetryPolicy } from './retry.ts';
import { sendRepeatedly } from './send-repeatedly.ts';

/** The filters of a list: its query without the range of the page. */
export type FiltersOf<P extends PathOf<'GET'>> = Omit<QueryOf<P>, '_start' | '_end' | 'offset' | 'limit'>;

type ItemOf<P extends PathOf<'GET'>> = AnswerOf<'GET', P> extends (infer Item)[] ? Item : never;

interface ListInput<P extends PathOf<'GET'>> extends CallOptions {
  path?: Readonly<Record<string, string>>;
  query: FiltersOf<P> | undefined;
}

/** The two ways of calling the API that everything else is made of. */
export interface ApiCalls {
  request: SendRequest;
  list: <P extends PathOf<'GET'>>(path: P, input: ListInput<P>) => Listing<ItemOf<P>>;
}

interface Transport {
  address: ApiAddress;
  retry: RetryPolicy;
  fetch: typeof fetch;
}

/** Calls to one API, as one tenant or operator. */
export function createCalls({ address, retry, fetch: send }: Transport): ApiCalls {
  const exchange = async (method: Method, path: string, input: UnsentRequest): Promise<ReceivedAnswer> => {
    const policy = input.retries === undefined ? retry : { ...retry, retries: input.retries };
    return await sendRepeatedly(send, prepareRequest(address, method, path, input), policy);
  };
  const request = async (method: Method, path: string, input: UnsentRequest = {}) =>
    (await exchange(method, path, input)).body;
  return {
    // The document of the API says that the answer is of this type.
    request: request as SendRequest,
    list: <P extends PathOf<'GET'>>(path: P, { query, headers, ...input }: ListInput<P>) =>
      new Listing<ItemOf<P>>(async ({ start, end, isCounted }) => {
        const range = RANGES[path] ?? byStartAndEnd;
        const answer = await exchange('GET', path, {
          ...input,
          query: { ...query, ...range(start, end) },
          headers: { ...(!isCounted && { Prefer: 'count=none' }), ...headers },
        });
        return { items: answer.body as ItemOf<P>[], total: totalOf(answer.headers) };
      }),
  };
}

type RangeParameters = (start: number, end: number) => Record<string, number>;

const byStartAndEnd: RangeParameters = (_start, _end) => ({ _start, _end });
const byOffset: RangeParameters = (offset, end) => ({ offset, limit: end - offset });

const RANGES: Readonly<Record<string, RangeParameters>> = {
  '/kyw/history': byOffset,
  '/aml/search/history': byOffset,
};

function totalOf(headers: Headers): number | undefined {
  const total = headers.get('x-total-count');
  return total === null ? undefined : Number(total);
}
