import { searchWords } from '../fold.ts';
import { cleanText } from '../sanctions/letters/fold-word.ts';
import { isPureTitle } from '../sanctions/titles.ts';

/** Words, folded, that say that something is absent, and are nobody's name. */
const ABSENT = words(
  'unknown unkn unk fnu lnu mnu nfn nln nmn nmi undefined unnamed nameless noname anonymous unspecified undisclosed',
  'unavailable tbd tba tbc unbekannt namenlos anonym keine inconnu inconnue desconocido desconocida desconhecido',
  'desconhecida sconosciuto sconosciuta onbekend okand ukendt ukjent tuntematon nieznany nieznana neznamy neznama',
  'ismeretlen necunoscut bilinmiyor bilinmeyen неизвестно неизвестен неизвестныи неизвестная невідомо αγνωστο αγνωστος',
  'redacted withheld مجهول 没有 沒有 لايوجد 未知 不明 不詳 不详 不知 无 無 暂无 なし 미상 없음 모름 לאידוע',
);
/** Words that say that a name is absent, but may also be a name. */
const PERHAPS_ABSENT = words(
  'none null nil nan na no not blank missing empty sin sans senza sem ohne kein без нет',
  'nicht non nao nie nije ikke inte nincs brak yok geen ingen aucun aucune ninguno ninguna nessuno nessuna не غير لا بدون بلا לא אין',
);
/** Words of PERHAPS_ABSENT that systems write, also repeated or within a name of several words. */
const NOTHING = words('none null nil');
/** Those that stand within a name of several words; repeated, "Na" is a name. */
const NOTHING_WITHIN = words('none null nil na nan');
/** Words for the field or data that is absent. */
const FIELD_WORDS = words(
  'name names first last middle given family sur surname forename firstname lastname middlename initial full legal entity',
  'party person customer client available applicable known provided specified stated disclosed recorded supplied nombre apellido',
  'apellidos nom prenom vorname vornamen nachname nachnamen namen familienname angabe angaben bekannt nome cognome',
  'имени имя фамилии фамилия отчества отчество данных указано указана известно известна',
  'does apply given applies vorhanden aplica aplicable aplicavel applicabile disponible disponibile disponivel informado',
  'angegeben renseigne renseignee communique communiquee achternaam voornaam sobrenome sobrenombre nazwiska nazwisko imienia',
  'angivet fornamn efternamn etternavn fornavn efternavn prenoms',
  'ידוע ידועה ידועים informada indicado noto danych veri poznato oppgitt tillgangligt معروف يوجد متوفر محدد متاح',
);
/** A word for a field only before another one, as in "segundo nombre": alone it is a name. */
const BEFORE_FIELD = 'segundo';
/** "N/A", "n.n." and the like; once and without a slash they may be initials. */
const PHRASES = words('n_a n_n н_д k_a');
/** "XX", "aaa". */
const REPEATED_LETTER = /^(?:x{2,}|([a-z])\1{2,})$/;

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** Whether a text is a name, a placeholder such as "first name unknown", or a word such as "Null" that may be either. */
export type NameKind = 'NAME' | 'PERHAPS_NAME' | 'PLACEHOLDER';

/** Tells names from what forms and other systems write into a field of a name. A title alone is not a name. */
export function kindOfText(text: string): NameKind {
  return kindOf(searchWords(cleanText(text)), { hasSlash: text.includes('/') });
}

function kindOf(words: readonly string[], { hasSlash }: { hasSlash: boolean }): NameKind {
  const given = words.filter((word, place) => !isPureTitle(word) && !isBeforeField(word, words[place + 1]));
  if (given.every((word) => REPEATED_LETTER.test(word))) return 'PLACEHOLDER';
  const rest = withoutPhrases(given);
  if (rest.length === 0) return hasSlash || given.length > 2 ? 'PLACEHOLDER' : 'PERHAPS_NAME';
  if (rest.every((word) => NOTHING.has(word))) return 'PERHAPS_NAME';
  return rest.every(isOfPlaceholder) ? kindOfWords(rest) : 'NAME';
}

/** The words without the phrases of two of them: of "N/A, unknown" only "unknown". */
function withoutPhrases(given: readonly string[]): string[] {
  const rest: string[] = [];
  for (let place = 0; place < given.length; place++) {
    if (PHRASES.has(given.slice(place, place + 2).join('_'))) place++;
    else rest.push(given[place] ?? '');
  }
  return rest;
}

function kindOfWords(given: readonly string[]): NameKind {
  if (given.some((word) => ABSENT.has(word))) return 'PLACEHOLDER';
  if (!given.some((word) => PERHAPS_ABSENT.has(word))) return 'NAME';
  if (given.some((word) => FIELD_WORDS.has(word))) return 'PLACEHOLDER';
  return given.length === 1 ? 'PERHAPS_NAME' : 'NAME';
}

function isOfPlaceholder(word: string): boolean {
  return ABSENT.has(word) || PERHAPS_ABSENT.has(word) || FIELD_WORDS.has(word);
}

/** A name without the placeholders in it: "Keller" of "Keller FNU" and of "Keller (first name unknown)". */
export function withoutPlaceholders(name: string): string {
  if (!searchWords(cleanText(name)).some(isUnlikelyInName)) return name;
  const kept: string[] = [];
  let run: string[] = [];
  const words = [...name.split(/\s+/u), ''];
  for (const [place, word] of words.entries()) {
    if (word !== '' && (isPlaceholderWord(word) || isBeforeField(word, words[place + 1]))) run.push(word);
    else {
      if (!isPlaceholder(run.join(' '))) kept.push(...run);
      kept.push(word);
      run = [];
    }
  }
  return kept.join(' ').trim();
}

function isBeforeField(word: string, next = ''): boolean {
  return (
    word.toLowerCase() === BEFORE_FIELD && searchWords(cleanText(next)).some((one) => FIELD_WORDS.has(one))
  );
}

/** Whether the word is in every placeholder that is left out of a name, but hardly in a name. */
function isUnlikelyInName(word: string): boolean {
  return ABSENT.has(word) || PERHAPS_ABSENT.has(word) || REPEATED_LETTER.test(word) || word.length === 1;
}

function isPlaceholderWord(word: string): boolean {
  const given = searchWords(cleanText(word));
  if (given.length === 0) return false;
  return given.every(isOfPlaceholder) || kindOf(given, { hasSlash: word.includes('/') }) !== 'NAME';
}

/** Whether words within a name are a placeholder. Of single words that may be a name only the systems' own are. */
function isPlaceholder(text: string): boolean {
  const kind = kindOfText(text);
  if (kind !== 'PERHAPS_NAME') return kind === 'PLACEHOLDER';
  return searchWords(cleanText(text)).every((word) => NOTHING_WITHIN.has(word));
}
