/** Whether the key goes into a field or a dialog, so that it is no command. */
export function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  if (document.querySelector('dialog[open]')) return true;
  // A dialog that was just closed keeps the focus until its event; nobody types into what is not seen.
  if (target.closest('dialog')) return false;
  const isField = target instanceof HTMLInputElement && target.type !== 'checkbox';
  if (isField || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  // Enter presses the button or follows the link that has the focus.
  return event.key === 'Enter' && target.matches('a, button, summary, [role=menuitem]');
}

/** A key for what the person can do on this page. */
export interface Shortcut {
  /** As the browser names it. */
  key: string;
  run: () => void;
}

/** The shortcuts of what is shown; the last that was added wins. */
const shown: Shortcut[][] = [];

/** Adds shortcuts. Returns what takes them away. */
export function addShortcuts(shortcuts: Shortcut[]): () => void {
  shown.push(shortcuts);
  return () => {
    const at = shown.indexOf(shortcuts);
    if (at >= 0) shown.splice(at, 1);
  };
}

/** Listens for shortcuts: single keys, and `g` followed by a letter for the pages. */
export function listenForShortcuts(goTo: Readonly<Record<string, () => void>>): void {
  let isAfterG = false;
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    const follow = isAfterG ? goTo[event.key] : undefined;
    isAfterG = event.key === 'g' && !isAfterG;
    const found = shown.toReversed().flatMap((list) => list.filter(({ key }) => key === event.key))[0];
    const run = follow ?? found?.run;
    if (!run) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    run();
  });
}
