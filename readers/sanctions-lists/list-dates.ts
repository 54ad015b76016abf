const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, as much as is known; undefined without a year or for a day that no month has. */
export function partialDate(year: string, month = '', day = ''): string | undefined {
  const parts = [year, month, day].map((part) => (/^\d{1,4}$/.test(part.trim()) ? Number(part) : 0));
  const [y = 0, m = 0, d = 0] = parts;
  if (y < 1000 || y > 2999 || m > 12) return undefined;
  if (m === 0) return String(y);
  const monthText = `${y}-${twoDigits(m)}`;
  if (d === 0) return monthText;
  return d <= lastDay(y, m) ? `${monthText}-${twoDigits(d)}` : undefined;
}

/** The day that a text begins with, such as `2015-07-01-04:00`. */
export function isoDay(text: string): string | undefined {
  const [, year = '', month = '', day = ''] = /^\s*(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(text) ?? [];
  const date = partialDate(year, month, day);
  return date?.length === 10 ? date : undefined;
}

/** `31/12/1960`; what is not known stands as letters or zeros: `dd/mm/1960`, `00/12/1960`. */
export function britishDate(text: string): string | undefined {
  const [, day = '', month = '', year = ''] =
    /^\s*([0-9d]{1,2})[/.-]([0-9m]{1,2})[/.-](\d{4})\s*$/i.exec(text) ?? [];
  return partialDate(year, month, day) ?? partialDate(/^\s*(\d{4})\s*$/.exec(text)?.[1] ?? '');
}

/** `08-Oct-2026`, `8 October 2026`. */
export function writtenDay(text: string): string | undefined {
  const [, day = '', name = '', year = ''] = /(\d{1,2})[\s-]+([a-z]{3})[a-z]*[\s-]+(\d{4})/i.exec(text) ?? [];
  return partialDate(year, String(MONTHS.indexOf(name.toLowerCase()) + 1), day);
}

/** `YYYY/YYYY`, or the one year. */
export function yearRange(from: string, to: string): string | undefined {
  const first = partialDate(from);
  const last = partialDate(to);
  return first === undefined || last === undefined || first === last ? (first ?? last) : `${first}/${last}`;
}

export function about(date: string | undefined): string | undefined {
  return date === undefined || date.includes('/') ? date : `~${date}`;
}

/** A day or a moment with its time zone as it is given; undefined for anything else. */
export function moment(text: string | undefined): string | undefined {
  const given = text?.trim() ?? '';
  const isMoment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(given);
  return isMoment && !Number.isNaN(Date.parse(given)) ? given : undefined;
}

export function lastDay(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
