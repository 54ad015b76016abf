/** Texts of dialogs that were closed without acting, or behind which the session ended. */
const drafts = new Map<string, Readonly<Record<string, string>>>();

addEventListener('beforeunload', (event) => {
  const isTyped = [...drafts.values()].some((draft) =>
    Object.values(draft).some((text) => text.trim() !== ''),
  );
  if (isTyped) event.preventDefault();
});

export function draftOf(key: string): Readonly<Record<string, string>> {
  return drafts.get(key) ?? {};
}

export function keepDraft(key: string, values: Readonly<Record<string, string>>): void {
  drafts.set(key, values);
}

export function forgetDraft(key: string): void {
  drafts.delete(key);
}

/** What one person typed is nothing for the next. */
export function forgetAllDrafts(): void {
  drafts.clear();
}
