import { foldWord } from '../sanctions/letters/fold-word.ts';
import { isWholeName } from './whole-name.ts';

const EDGES = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+$/gu;
const ELISION = /^l['’]/u;
const LETTERS = /^[A-Za-z]+$/;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Words of what one person is to another: "Anna Keller nominee Eva Huber", "Huber AG, ultimate beneficial owner Eva Huber". A list
 * of whole phrases would never end, so that any run of these words and of the small ones around them is a phrase.
 */
const ROLES = words(
  'nominee nominees owner owners ownership owned co-owner coowner beneficial ultimate beneficiary beneficiaries benefit',
  'benef bnf ubo holder holders co-holder held shareholder shareholders stockholder settlor grantor protector guardian',
  'custodian executor executrix administrator trustee trustees trust agent agents proxy proxies signatory signatories',
  'authorised authorized attorney attorney-in-fact lawyer counsel delegate represented representing representative rep',
  'acting employee employed employer working works secretary assistant client customer principal majority controlled',
  'controller controls attention attn att fao favour favor favouring favoring behalf name named namely account acct acc',
  'ac b/o a/c f/a/o f/u/o i/f/o ifo ino p/a payment payments payable payee payer paid pay transfer sent sender received',
  'receiver recipient remitter remitting remittance originator ordering ordered funds money assets wallet deposit',
  'proceeds purpose ref reference regarding concerning instructions spouse wife husband brother sister daughter',
  'father mother widow widower relative friend associate partner nephew niece uncle aunt cousin successor assignee',
  'assignor heir inheritance estate deceased figurehead strawman jointly joint together along disguised viz ie',
  'wirtschaftlich berechtigter berechtigte berechtigten zugunsten gunsten zhd zh zuhanden händen haenden padr adresse',
  'namen namens person real droit rechnung bevollmächtigter bevollmächtigte vertreter vertreterin kontoinhaber kontoinhaberin inhaber',
  'inhaberin empfänger empfängerin begünstigter begünstigte family auftrag auftraggeber strohmann compte nom profit',
  'faveur bénéficiaire beneficiaire effectif ayant économique economique mandataire prête-nom nombre beneficio',
  'beneficiario beneficiaria final titular atención atencion testaferro representante apoderado apoderada cuenta nome',
  'conto favore titolare effettivo attenzione prestanome delegato cuidados beneficiário efectivo efetivo conta behoeve',
  'tbv tav attentie uiteindelijk uiteindelijke begunstigde begünstigde belanghebbende naam gevolmachtigde пользу',
  'поручению доверенности бенефициар бенефициарный бенефициара владелец лица имени получатель отправитель номинал',
  'директор президент πρόεδρος διευθυντής president chairman chairwoman director directors ceo cfo coo beguenstigter empfaenger номинальный imieniu rzecz beneficjent rzeczywisty pełnomocnik adına adina lehine hesabına hesabina vekili لصالح نيابة',
  'بالنيابة المستفيد الحقيقي وكيل 예금주 수취인 수령인 송금인 户名 收款人 付款人 汇款人',
);
/** Roles that are nobody's name: one of them is enough beside a single whole name. */
const PLAIN_ROLES = words(
  'ubo nominee nominees beneficiary beneficiaries payee payees recipient recipients remitter remittee client customer',
  'empfänger empfängerin begünstigter begünstigte kontoinhaber kontoinhaberin bénéficiaire beneficiaire beneficiario',
  'beneficiaria beneficiário begunstigde получатель отправитель бенефициар beneficjent testaferro prestanome strohmann',
  'директор президент πρόεδρος διευθυντής 예금주 수취인 수령인 송금인 户名 收款人 付款人 汇款人',
);
/** Those of them that also stand before the name of a firm; "Customer Service Ltd" is one name. */
const NOMINEES = words(
  'ubo nominee nominees beneficiary beneficiaries payee payees recipient recipients remitter remittee empfänger begünstigter',
  'bénéficiaire beneficiaire beneficiario beneficiaria beneficiário begunstigde получатель бенефициар beneficjent testaferro',
  'prestanome strohmann',
);
/** Those of somebody who acts for another; nobody is called so. */
const ACTING = words('representing acting behalf');
/** Words that lead from a role to the name. Alone they are no role: many are parts of names. */
const SMALL_WORDS = words(
  'as the a an of for on by in to from with and at is are was through via or whose its his her duly this only sole und als von vom für',
  'fuer im zu zum zur auf per der des die das bei durch de du la le les au aux à l en pour par chez el los las por para e y di della',
  'del dei alla presso em do da dos aos van voor ten ter door в по от для за на w na dla od عن من',
);
function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')).map(comparable));
}

/** The word without marks, in Latin letters: "nominée" is "nominee". */
function comparable(word: string): string {
  return ASCII.test(word) ? word : foldWord(word);
}

type WordKind = 'ROLE' | 'SMALL' | 'NAME';

function bareWord(word: string): string {
  if (LETTERS.test(word)) return word.toLowerCase();
  return word.toLowerCase().replace(EDGES, '').replaceAll('.', '').replace(ELISION, '');
}

function kindOf(word: string): WordKind {
  const bare = bareWord(word);
  const kind = kindOfBare(comparable(bare));
  if (kind !== 'NAME' || !bare.includes('-')) return kind;
  const kinds = bare.split('-').map((part) => kindOfBare(comparable(part)));
  return kinds.includes('NAME') || !kinds.includes('ROLE') ? 'NAME' : 'ROLE';
}

function kindOfBare(bare: string): WordKind {
  if (ROLES.has(bare)) return 'ROLE';
  return SMALL_WORDS.has(bare) || bare === '' ? 'SMALL' : 'NAME';
}

/** Whether a word of the text tells of a role: most texts have none, and need no closer look. */
export function hasRole(text: string): boolean {
  return text.split(/\s+/u).some((word) => kindOf(word) === 'ROLE');
}

/** The text without the words of roles: in that of a person, "nominee" says nothing of a firm. */
export function withoutRoles(text: string): string {
  return text
    .split(/\s+/u)
    .filter((word) => kindOf(word) !== 'ROLE')
    .join(' ');
}

interface Phrase {
  start: number;
  end: number;
  /** Where the name after it may begin as well: of "owner of Family Trading LLC" behind "of". */
  nameStart: number;
  hasSmallWord: boolean;
  /** Whether one of its words is nobody's name. */
  isPlain: boolean;
  isOfNominee: boolean;
  isOfAgent: boolean;
}

/**
 * The parts of a text around the roles in it: of "Anna Keller nominee for Eva Huber" both names. One word such as "Friend" may
 * be a family name, and is a role only between two whole names; in the name of a firm, only a small word after it makes
 * one at its beginning or end, as in "guardian of".
 */
export function aroundRoles(text: string, { isFirm }: { isFirm: boolean }): string[] {
  const written = text.split(/\s+/u).filter((word) => word !== '');
  const phrases = phrasesIn(written);
  const kept = phrases.filter((phrase, place) => {
    const isNameBefore = hasWholeName(written.slice(phrases[place - 1]?.end ?? 0, phrase.start));
    const isNameBehind = hasWholeName(written.slice(phrase.end, phrases[place + 1]?.start));
    if (isNameBefore && isNameBehind) return true;
    if (phrase.isPlain && !isFirm && (isNameBefore || isNameBehind)) return true;
    return isFirm ? phrase.hasSmallWord : phrase.end - phrase.start > 1;
  });
  return partsAround(written, kept);
}

/** Several words, or a whole name in Han or Hangul, which is one word. */
function hasWholeName(written: readonly string[]): boolean {
  return written.length > 1 || written.some(isWholeName);
}

/** The parts of a text around words such as "nominee", however short they are. */
export function aroundNominees(text: string): string[] {
  const written = text.split(/\s+/u).filter((word) => word !== '');
  return partsAround(
    written,
    phrasesIn(written).filter(({ isOfNominee }) => isOfNominee),
  );
}

/** What stands before and behind the roles of somebody who acts for another: "Anna Keller representing Huber", "wallet for Huber". */
export function besideAgents(text: string): { before: string; after: string; isOfAgent: boolean }[] {
  const written = text.split(/\s+/u).filter((word) => word !== '');
  const phrases = phrasesIn(written);
  return phrases.flatMap(({ start, end, hasSmallWord, isOfAgent }, place) => {
    const before = written.slice(phrases[place - 1]?.end ?? 0, start).join(' ');
    const after = written.slice(end, phrases[place + 1]?.start).join(' ');
    return hasSmallWord || isOfAgent ? [{ before, after, isOfAgent }] : [];
  });
}

function partsAround(written: readonly string[], phrases: readonly Phrase[]): string[] {
  if (phrases.length === 0) return [];
  const before = written.slice(0, phrases[0]?.start);
  const after = phrases.flatMap(({ end, nameStart }, place) => {
    const next = phrases[place + 1]?.start;
    return [...new Set([end, nameStart])].map((start) => written.slice(start, next));
  });
  return [before, ...after].map((part) => part.join(' '));
}

/** The runs of roles and small words that have at least one role. */
function phrasesIn(written: readonly string[]): Phrase[] {
  const kinds = written.map((word, place) =>
    isJointStock(word, written[place + 1]) ? 'NAME' : kindOf(word),
  );
  const phrases: Phrase[] = [];
  for (let start = 0; start < kinds.length; start++) {
    let end = start;
    while (end < kinds.length && kinds[end] !== 'NAME') end++;
    const run = kinds.slice(start, end);
    if (run.includes('ROLE')) phrases.push(phraseOf(written, { start, end, kinds }));
    start = end;
  }
  return phrases;
}

function phraseOf(
  written: readonly string[],
  { start, end, kinds }: { start: number; end: number; kinds: readonly WordKind[] },
): Phrase {
  const isIn = (known: ReadonlySet<string>, place: number): boolean =>
    known.has(comparable(bareWord(written[place] ?? '')));
  const places = Array.from({ length: end - start }, (_, at) => start + at);
  const lead = places.findLast((place) => kinds[place] === 'SMALL' || isIn(PLAIN_ROLES, place));
  return {
    start,
    end,
    nameStart: lead === undefined ? end : lead + 1,
    hasSmallWord: places.some((place) => kinds[place] === 'SMALL'),
    isPlain: places.some((place) => isIn(PLAIN_ROLES, place)),
    isOfNominee: places.some((place) => isIn(NOMINEES, place)),
    isOfAgent: places.some((place) => isIn(ACTING, place)),
  };
}

/** "Joint" of a "Joint Stock Company" belongs to the name of a firm. */
function isJointStock(word: string, next = ''): boolean {
  return bareWord(word) === 'joint' && bareWord(next).startsWith('stock');
}
