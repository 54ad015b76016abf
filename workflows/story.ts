/** What a workflow has done, for operators: its latest lines. */
export interface Story {
  tell: (deeds: readonly string[]) => void;
  /** One line per deed, as Markdown. */
  text: () => string;
}

const MAX_LINES = 20;

/** Collects what a workflow has done. The lines hold ids and codes, never personal data. */
export function createStory(): Story {
  const lines: string[] = [];
  return {
    tell(deeds) {
      const time = new Date().toISOString();
      lines.push(...deeds.map((deed) => `- ${time}: ${deed}`));
      lines.splice(0, lines.length - MAX_LINES);
    },
    text: () => lines.join('\n'),
  };
}
