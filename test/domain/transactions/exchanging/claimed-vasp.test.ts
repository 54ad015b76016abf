import { SYSTEM } from '../../../../domain/events/actor.ts';
import { NO_CHANGE } from '../../../../domain/transactions/change.ts';
import { withAskedName } from '../../../../domain/transactions/exchanging/claimed-vasp.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { transactionRecord } from '../../../factories/transaction-record.ts';

function asked(record: TransactionRecord, name: string): TransactionRecord {
  const given = { asked: name, actor: SYSTEM, now: new Date() };
  return withAskedName(NO_CHANGE, record, given).own?.after ?? record;
}

test('no name by which claims have asked is dropped for another one: the 21st is refused', () => {
  let record = transactionRecord({ direction: 'INCOMING' });
  for (let count = 1; count <= 20; count += 1) record = asked(record, `VASP number ${count}`);
  expect(record.personal.claimedVaspNames).toHaveLength(20);
  expect(() => asked(record, 'VASP number 21')).toThrow(/20 names/);
  expect(asked(record, 'vasp NUMBER 1')).toBe(record);
});
