import { cleanText, splitWords } from './letters/fold-word.ts';

/**
 * Legal forms that may also be words or initials, without signs and accents: S.L., S.à r.l., Sp. z o. o., SE, A.Ş. A name is
 * compared with and without them, so none of them takes a part from a name.
 */
const AT_END = words(
  'sl slu slne sarl sarls spzoo spzook se as asa kk sal sae saoc saog bsc bscc ksc kscc kscp spc psc wll tbk tnhh ctcp jsc me epp mei eireli',
  'sci sas sasu scrl scs sca cie hnos est establishment eu il ul ulc ud sa nv oyj sia uab ike ικε оао пао בעמ 有限责任公司 有限公司 股份有限公司',
);
const IN_FRONT = words('pt cv ud tnhh ctcp congtytnhh congtytnhhmtv congtycp congtycophan');
/** "Sp. z o. o." and "Công ty TNHH MTV" have four words. */
const MAX_FORM_WORDS = 4;
/** A single word is hardly the whole name of a firm. */
const MIN_WORDS = 2;
const MARKS_AND_SIGNS = /[^\p{L}\p{N}]+/gu;
const LAST_SIGNS = /(?<![\s,;:(-])[\s,;:(-]+$/u;

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** The name of a firm without such legal forms before and behind it; undefined if it has none, or less than two words besides. */
export function withoutOtherForm(name: string): string | undefined {
  const written = cleanText(name).trim().split(/\s+/u);
  const end = written.length - formLength(written, AT_END, (length) => written.slice(-length));
  const start = formLength(written, IN_FRONT, (length) => written.slice(0, length));
  const firm = written.slice(start, end).join(' ').replace(LAST_SIGNS, '');
  const hasForm = start > 0 || end < written.length;
  return hasForm && splitWords(firm).length >= MIN_WORDS ? firm : undefined;
}

/** The number of words of the longest form; 0 if there is none. */
function formLength(
  written: readonly string[],
  forms: ReadonlySet<string>,
  part: (length: number) => readonly string[],
): number {
  const most = Math.min(MAX_FORM_WORDS, written.length - MIN_WORDS);
  for (let length = most; length > 0; length--) if (forms.has(plain(part(length)))) return length;
  return 0;
}

/** The letters of words: "sarl" of "S.à r.l.". */
function plain(form: readonly string[]): string {
  return form.join('').normalize('NFD').replace(MARKS_AND_SIGNS, '').toLowerCase();
}
