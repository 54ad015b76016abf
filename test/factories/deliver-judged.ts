import { deliverNative, type JudgeArrival } from '../../db/lifecycle/deliver-native.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { judgeTransaction } from '../../transaction-screening/judge-transaction.ts';
import type { TestApi } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { releaseDeps } from './release-deps.ts';
import type { TestTenant } from './tenant.ts';
import { letPass, ofDelivery, readTransaction } from './transaction.ts';

/** Lets a message pass and delivers it with the receiver's verdict, as the product does; returns the receiver's record. */
export async function deliverJudged(
  api: TestApi,
  { id, sender, receiver }: { id: string; sender: TestTenant; receiver: TestTenant },
): Promise<Transaction> {
  await letPass(api.db, id);
  const judge: JudgeArrival = async (arriving) => {
    // A list that has just become active is loaded shortly afterwards.
    const judged = await eventually(
      async () => await judgeTransaction(releaseDeps(api), arriving, undefined),
      ({ kind }) => kind === 'JUDGED',
    );
    return judged.kind === 'JUDGED' ? judged.settlement : null;
  };
  const delivery = { tenantId: sender.id, id, receiverTenantId: receiver.id, now: new Date() };
  const delivered = ofDelivery(await deliverNative(api.db, delivery, judge));
  return await readTransaction(receiver, delivered?.incoming.id ?? '');
}
