const MAX_LENGTH = 200;

/**
 * A text as a header of a mail may carry it: one line without control characters, so that no name adds headers or recipients.
 * Also without characters that show it in another order than it was written.
 */
export function headerText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH);
}
