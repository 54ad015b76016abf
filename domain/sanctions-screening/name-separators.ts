/** Letters, digits and marks: a separator of words stands between others. */
const START = '(?<![\\p{L}\\p{M}\\p{N}])';
const END = '(?![\\p{L}\\p{M}\\p{N}])';

function between(phrases: readonly string[]): RegExp {
  return new RegExp(`${START}(?:${phrases.join('|').replaceAll(' ', '\\s+')})${END}`, 'giu');
}

/** What introduces another name, of the same or another party. A single word after it is a name, too. */
export const CALLED = new RegExp(
  [
    between([
      '[afnp][./]?k[./]?a\\.?',
      'd[./]?b[./]?a\\.?',
      '[fo][./]b[./]o\\.?',
      't\\/a|c\\s?\\/\\s?o|w\\/o|m\\/s\\.?|attn\\.?',
      '(?:also |formerly |previously |better |otherwise |now )?known as',
      '(?:doing business|trading|operating) as|trading under the name(?: of)?',
      '(?:for and )?on behalf of|(?:for )?the benefit of|(?:in )?care of',
      '(?:ceo|director|owner|manager|agent|representative|shareholder|partner) of|(?:to the )?order of',
      '(?:duly )?represented (?:herein )?by|acting (?:through|by)|trustees? (?:of|for)|in trust for|itf|nominee (?:of|for)',
      'vertreten durch|treuhänder(?:in)? (?:von|für)|représentée?s? par|representad[oa] por|rappresentat[oa] da|в лице',
      '(?:the )?estate of|heirs? of|(?:the )?account of|succession de|sucesi[oó]n de|nachlass von|branch of',
      '(?:payment|transfer|trf|remittance) (?:to|from)|zahlung an|p\\.\\s?o\\.\\s?a\\.?|power of attorney(?: of| for)?',
      // The number keeps the given name Iban a name. Each turn takes one digit, so that a text matches in one way only: a pattern
      // that can take digits apart in many ways tries all of them.
      'iban[:\\s]*[a-z]{2}\\d{2}(?:\\s?(?:[a-z]{1,4}\\s?)?\\d){1,30}[a-z]{0,3}',
      '(?:auch )?bekannt als|(?:handelnd|firmierend) (?:als|unter)|im auftrag von',
      'connue? sous le nom(?: de)?|agissant pour|pour le compte de',
      '(?:tambi[eé]n )?conocid[oa] como|por cuenta de|conhecid[oa] como|conosciut[oa] come',
      'он же|она же|(?:также )?известн(?:ый|ая|ое) как|от имени',
      'المعروف (?:باسم|ب)',
    ]).source,
    // Han is written without spaces.
    '又名|別名|别名|曾用名|化名|亦称|亦稱|(?:实际|最终)?受益(?:人|所有人)|代理人|代表',
  ].join('|'),
  'giu',
);

/** What stands between two names of one party, but may also be a name. */
export const RENAMED = between([
  'alias|formerly|previously|ex|called|a k a|f k a|d b a|fbo|obo',
  'genannt|vormals|ehemals|früher|dite?|anciennement|antes|dett[oa]|già|vulgo|бывш(?:ий|ая)?\\.?|ранее',
]);

/** What stands before the name that somebody had before a marriage. */
export const BIRTH_NAME = between([
  'née?|nee|born|geb(?:oren(?:e[rn]?)?)?\\.?|nat[oa]|nacid[oa]|nascid[oa]|z domu|u?rozená|rođena|född|født|fødd|syntynyt|kızlık soyadı|урожд(?:[её]нная|\\.)?',
]);

/** "and/or" and the like, which a slash must not take apart. */
export const AND_OR =
  /\s*[&+]\s*\/\s*or\s+|\s+(?:and|und|et|y|e|en|og|och|и)\s*\/\s*(?:or|oder|ou|o|of|eller|или)\s+/giu;

/** What stands between two holders of an account. */
export const JOINED =
  /\s*[&+]\s*|(?<=\p{sc=Hangul}{3}|\p{sc=Hangul}\s\p{sc=Hangul}{2})(?:와|과)\s+(?=\p{sc=Hangul})|\s+(?:and|or|plus|und|oder|sowie|bzw\.?|et|ou|och|og|oraz|és|și|şi|και|и|или|և|եւ|ու|და|ו|と|و|和|与|與|及|및|vagy|veya|või|dhe|nebo|alebo|або|או|أو|および|または|或|và|hoặc|atau|samt|as well as|ainsi que|así como|assim como|ή)\s+/giu;

/** Words that join holders or introduce one, but are also initials or parts of a name. */
export const JOINED_PERHAPS =
  /\s+(?:y|e|i|o|u|en|si|ed|ve|ja|eller|lub|і|та|for|via|with|für|mit|pour|avec|para|por|and\s+or|und\s+oder|et\s+ou|per pro|pp|p\.\s?p|i\.\s?a|i\/o|для|за)\.?\s+/giu;

/** Those of them that join a firm and somebody else: what "for" and the like introduce has rules of its own. */
export const JOINED_FIRMS_PERHAPS = /\s+(?:y|e|i|o|u|en|si|ed|ve|ja|eller|lub|і|та|with|mit|avec)\s+/giu;

/** What stands between a firm and the one that it acts for, or the other way round. */
export const FOR = /\s+(?:for|für|pour|para|por|per|by|via|through|voor|для|за)\.?\s+/giu;

/** Those of them that are nobody's name: "Per" and "By" are. */
export const SURELY_FOR = /\s+(?:for|für|pour|para|por|via|through|voor|для|за)\.?\s+/giu;

/** What stands before the firm that another one belongs to. */
export const PART_OF = between([
  '(?:subsidiary|affiliate|division|department|branch|subdivision|unit|arm|member) of|part of',
  'tochter(?:gesellschaft)? (?:von|der)|filiale (?:de|von|di)|filial de|филиал|дочерн(?:яя|ее) (?:компания|общество)',
]);

/** What joins two holders only between two whole names: "By", "Per", "Dan" and "Un" are names, and a dot ends an abbreviation. */
export const JOINED_WHOLE =
  /\s+(?:by|per|to|from|of|under|through|chez|presso|bei|vs\.?|versus|poa|i\.\s?v\.?|dan|ir|un|ile|cùng|และ|और)\s+|(?<=\p{L}{4})\.\s+/giu;

/**
 * Signs that no name contains, the number of a line ("1/"), a slash but in "A/S", a dash beside a space, a long or double dash, symbols, and control characters such as a tab. A dot in
 * the middle and an equals sign stand within names in Han and Kana, and such a dot within "Gal·la".
 */
export const SEPARATOR =
  /(?<!\S)[1-8]\/(?=\S)|[;()[\]{}<>「」『』【】《》〈〉〔〕|\\:#*~^_?…、—―§¶†‡※¡¿\p{So}\p{Cc}\u2028\u2029]|(?![+=])\p{Sm}|[•●■♦★]|\.{3}|--|(?<=\p{L})!|\s!|[-–—]\s|(?<!(?<!\p{L})\p{L})\/|\/(?!\p{L}(?!\p{L}))|\s[-–—@]|(?:=|[·・](?!l))(?<![\p{sc=Han}\p{sc=Kana}].)/gu;

/** "1." and "2)" before the names of a list. */
export const LIST_MARK = /(?:^|\s)#?\d{1,2}[.)](?=\s)/gu;

/** What stands in brackets or quotation marks within a name, and the domain of an e-mail address. */
export const ASIDE =
  /@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}|<[^<>]*>|"[^"]*"|[“„][^“”„]*[“”]|«[^»]*»|(?<!\p{L})['‘][^'‘’]+['’](?!\p{L})/gu;
