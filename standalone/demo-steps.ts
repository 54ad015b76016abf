import { randomBytes } from 'node:crypto';
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
  return `0x${randomBytes(20).toString('hex')}`;
}

/** Returns a transaction hash that no transaction has. */
export function freshHash(): string {
  return `0x${randomBytes(32).toString('hex')}`;
}
