/** The text with another last character: one that a token of random letters may not have by chance. */
export function withOtherEnd(text: string): string {
  return `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`;
}
