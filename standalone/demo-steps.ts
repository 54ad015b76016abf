import type { Waybill } from '@waybill/client';
import type { DemoReceiver } from './demo-receiver.ts';

/** A tenant in the demo, with its API client and webhook receiver. */
export interface DemoParty {
  name: string;
  api: Waybill;
  receiver: DemoReceiver;
}

let stepNumber = 0;

/** Prints the heading of the next numbered step. */
export function step(text: string): void {
  stepNumber += 1;
  console.log(`\n${stepNumber}. ${text}`);
}

export function detail(text: string): void {
  console.log(`   ${text}`);
}

/** Returns an address that was never used before, so that every run shows all steps. */
export function freshAddress(): string {
  const hex = Array.from({ length: 40 }, () => Math.floor(Math.random() * 16).toString(16));
  return `0x${hex.join('')}`;
}
