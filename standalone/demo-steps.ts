import type { DemoApi } from './demo-api.ts';
import type { DemoReceiver } from './demo-receiver.ts';

/** A tenant that plays its part in the demo. */
export interface DemoParty {
  name: string;
  api: DemoApi;
  receiver: DemoReceiver;
}

let stepNumber = 0;

/** Begins the next numbered step of the story. */
export function step(text: string): void {
  stepNumber += 1;
  console.log(`\n${stepNumber}. ${text}`);
}

export function detail(text: string): void {
  console.log(`   ${text}`);
}

/** A destination that nobody has used before, so that every run tells the whole story. */
export function freshAddress(): string {
  const hex = Array.from({ length: 40 }, () => Math.floor(Math.random() * 16).toString(16));
  return `0x${hex.join('')}`;
}
