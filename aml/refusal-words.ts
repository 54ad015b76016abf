const OF_KEY = /\baccess(?!ib)|key\b|\btoken\b|\buser\b|authori[sz]|credential|forbidden/i;
const OF_CREDITS = /balance|credit|not enough (checks|funds|money)|checks? left/i;
const NOT_SUPPORTED = /unsupported|not supported/i;
const OF_CHAIN = /\b(asset|blockchain|chain|coin|currency|network|token)\b/i;
const UNKNOWN = /not found|no data/i;
const OF_SUBJECT = /\b(address|wallet|transaction|tx|hash)\b/i;

type RefusalMeaning = 'NO_CREDITS' | 'CHAIN_NOT_SUPPORTED' | 'KEY_REFUSED' | 'NOT_FOUND';

/**
 * The meaning of a refusal that a vendor words in a sentence; undefined unless it is unmistakable. "Not found" means that
 * the vendor has no data only where it is said of the address or the transaction: a key or a user may be missing too.
 */
export function refusalMeaning(sentence: string): RefusalMeaning | undefined {
  if (OF_CREDITS.test(sentence)) return 'NO_CREDITS';
  if (NOT_SUPPORTED.test(sentence)) return OF_CHAIN.test(sentence) ? 'CHAIN_NOT_SUPPORTED' : undefined;
  if (OF_KEY.test(sentence)) return 'KEY_REFUSED';
  return UNKNOWN.test(sentence) && OF_SUBJECT.test(sentence) ? 'NOT_FOUND' : undefined;
}
