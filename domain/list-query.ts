import { z } from 'zod';

/** The largest page, and the one that is answered when the caller names no end. */
const PAGE_LIMIT = 100;
const SEARCH_LIMIT = 200;
const VALUES_LIMIT = 100;

/** The items of a list that a caller wants: `start` inclusive, `end` exclusive, both counted from 0. */
export interface PageRange {
  start: number;
  end: number;
  /** False when the caller does not want the number of all matching items. */
  wantsCount: boolean;
}

/** The parsed query of a list. Filters have their names on the wire without the leading underscore. */
export interface ListQuery<S extends string, F extends z.ZodRawShape> extends PageRange {
  sort: S;
  order: 'ASC' | 'DESC';
  q: string | undefined;
  filters: FiltersOf<F>;
}

type FiltersOf<F extends z.ZodRawShape> = {
  [K in keyof F as K extends `_${infer Name}` ? Name : K]: z.output<F[K]> | undefined;
};

/**
 * The query of a list in the json-server convention. The first of `sortable` is the default field (newest first);
 * a named `_sort` without `_order` ascends. `filters` are named as on the wire (`_status`) and all optional.
 * `wantsCount` is true: the query cannot say otherwise, a header can.
 */
export function listQuery<const S extends readonly [string, ...string[]], F extends z.ZodRawShape>(list: {
  sortable: S;
  filters: F;
}) {
  const filters = z.object(list.filters).partial().shape;
  return z
    .strictObject({ ...pageParameters(list.sortable), ...filters })
    .check(({ value, issues }) => {
      const fault = pageFault(value as PageParameters);
      if (fault) issues.push({ code: 'custom', input: undefined, ...fault });
    })
    .transform((query) => toListQuery<S[number], F>(query as PageParameters<S[number]>, list.sortable[0]));
}

interface PageParameters<S extends string = string> {
  _start?: number;
  _end?: number;
  _sort?: S;
  _order?: 'ASC' | 'DESC';
  q?: string;
}

function pageParameters<S extends readonly [string, ...string[]]>(sortable: S) {
  return {
    _start: wholeNumber(0).optional().describe('First item, counted from 0 (inclusive).'),
    _end: wholeNumber(0)
      .optional()
      .describe(`Last item (exclusive); at most ${PAGE_LIMIT} after \`_start\`.`),
    _sort: z.enum(sortable).optional().describe(`Field to sort by; \`${sortable[0]}\` if absent.`),
    _order: z
      .enum(['ASC', 'DESC'])
      .optional()
      .describe('Direction; newest first if neither `_sort` nor `_order` is given, else ascending.'),
    q: z.string().max(SEARCH_LIMIT).optional().describe('Free text.'),
  };
}

function pageFault({ _start = 0, _end = _start + PAGE_LIMIT }: PageParameters) {
  if (_start > _end) return pageIssue('_start', 'beyond_end', '`_start` lies beyond `_end`.');
  if (_end - _start > PAGE_LIMIT) {
    return pageIssue('_end', 'too_big', `A page has at most ${PAGE_LIMIT} items.`);
  }
  return undefined;
}

function pageIssue(name: string, code: string, message: string) {
  return { path: [name], message, params: { code } };
}

function toListQuery<S extends string, F extends z.ZodRawShape>(
  { _start = 0, _end = _start + PAGE_LIMIT, _sort, _order, q, ...filters }: PageParameters<S>,
  defaultSort: S,
): ListQuery<S, F> {
  const order = _order ?? (_sort ? 'ASC' : 'DESC');
  return {
    start: _start,
    end: _end,
    wantsCount: true,
    sort: _sort ?? defaultSort,
    order,
    q,
    filters: withoutUnderscores(filters),
  };
}

function withoutUnderscores<F extends z.ZodRawShape>(filters: object): FiltersOf<F> {
  const renamed = Object.entries(filters).map(([name, value]) => [name.replace(/^_/, ''), value as unknown]);
  return Object.fromEntries(renamed) as FiltersOf<F>;
}

/** A whole number in plain digits, as it comes in a path or a query: from `min` to `max`, or to 2^53 - 1. */
export function wholeNumber(min: number, max?: number, tooBig?: string) {
  const number = z.int({ error: 'A whole number is expected.' }).min(min);
  return z.preprocess(
    (text) => (typeof text === 'string' && /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text),
    max === undefined ? number : number.max(max, tooBig),
  );
}

/** A filter that takes several values: the parameter repeated, or one comma-separated list. */
export function oneOrMore<T extends z.ZodType>(value: T) {
  return z.preprocess(splitValues, z.array(value).max(VALUES_LIMIT));
}

function splitValues(given: unknown): unknown {
  const parts: unknown[] = Array.isArray(given) ? given : [given];
  return parts.flatMap((part) => (typeof part === 'string' ? part.split(',') : [part]));
}

/** An ISO 8601 moment with seconds and zone, kept at millisecond precision; impossible dates are refused. */
export const Timestamp = z.iso
  .datetime({ offset: true, error: 'An ISO 8601 timestamp with time zone is expected.' })
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= 1900 && date.getUTCFullYear() <= 9999, {
    error: 'The year must be between 1900 and 9999.',
  });
