import { about, lastDay, partialDate, yearRange } from '../list-dates.ts';
import { childOf, textOf, type XmlNode } from '../xml-node.ts';

/** A `Date`, `From` or `To` of the file: year, month, day. */
export function ofacDate(node: XmlNode | undefined): string | undefined {
  return partialDate(textOf(node, 'Year'), textOf(node, 'Month'), textOf(node, 'Day'));
}

/** A `DatePeriod`: a day, or the month, year or years that it fills; `~` where the file calls it approximate. */
export function ofacPeriod(node: XmlNode): string | undefined {
  const start = childOf(node, 'Start');
  const end = childOf(node, 'End');
  const from = ofacDate(childOf(start, 'From'));
  const to =
    ofacDate(childOf(end, 'To')) ?? ofacDate(childOf(end, 'From')) ?? ofacDate(childOf(start, 'To')) ?? from;
  if (from === undefined || to === undefined) return from ?? to;
  const isAbout = [start, end].some((side) => side?.attributes['Approximate'] === 'true');
  const date = spanned(from, to);
  return isAbout ? about(date) : date;
}

function spanned(from: string, to: string): string | undefined {
  if (from === to) return from;
  const year = from.slice(0, 4);
  if (to.slice(0, 4) !== year) return yearRange(year, to.slice(0, 4));
  const month = from.slice(0, 7);
  const isMonth =
    from === `${month}-01` && to === `${month}-${lastDay(Number(year), Number(month.slice(5)))}`;
  return isMonth ? month : year;
}
