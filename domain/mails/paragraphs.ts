/** The text of a mail: paragraphs with a line between them. */
export function paragraphs(...texts: string[]): string {
  return `${texts.join('\n\n')}\n`;
}
