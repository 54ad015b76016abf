// Tabs with the same verification tell each other that something has changed.

const CHANNEL = 'verification';

const channel = 'BroadcastChannel' in window ? new BroadcastChannel(CHANNEL) : null;

export function announceChange(id: string): void {
  channel?.postMessage(id);
}

/** Calls `changed` when another tab has changed this verification. */
export function listenToTabs(id: () => string | undefined, changed: () => void): void {
  channel?.addEventListener('message', ({ data }) => {
    if (data === id()) changed();
  });
}
