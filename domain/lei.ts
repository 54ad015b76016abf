const LEI = /^[0-9A-Z]{18}[0-9]{2}$/;

/** Whether the text is a Legal Entity Identifier: 20 characters with the check digits of ISO 17442 (ISO 7064, MOD 97-10). */
export function isLei(text: string): boolean {
  return LEI.test(text) && text.slice(18) === checkDigits(text.slice(0, 18));
}

/**
 * The check digits, 02 to 98. Comparing them is stricter than "remainder is 1", which also accepts 00, 01 and 99 in place
 * of 97, 98 and 02.
 */
function checkDigits(base: string): string {
  // Letters become two digits: A is 10, Z is 35.
  const digits = base.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  const remainder = Number(BigInt(`${digits}00`) % 97n);
  return String(98 - remainder).padStart(2, '0');
}
