import {
  bestCandidate,
  senderFit,
  type SenderFit,
} from '../../../../domain/transactions/exchanging/own-record-match.ts';
import { NOW, transactionRecord } from '../../../factories/transaction-record.ts';

const sender = { entityId: 'alpine', names: ['alpine exchange', 'alpx'] };

test.each<[string | null, string | null, SenderFit]>([
  [null, null, 'UNNAMED'],
  ['Whatever', 'alpine', 'NAMED'],
  ['Alpine Exchange', 'somebody-else', 'OTHER'],
  ['Alpine Exchange AG', null, 'NAMED'],
  ['ALPX', null, 'NAMED'],
  ['Alpine Bank', null, 'OTHER'],
  ['Exchange', null, 'OTHER'],
])('a record that names %j, an entity %j, is for Alpine Exchange: %s', (named, entity, fit) => {
  expect(senderFit(named, entity, sender)).toBe(fit);
});

const candidate = (amount: string | null, fit: SenderFit, minutes = 0) => ({
  record: transactionRecord({ amount, createdAt: new Date(NOW.getTime() + minutes * 60_000) }),
  fit,
});

test.each([
  ['the equal amount wins over another one', [candidate('2', 'NAMED'), candidate('1.5', 'NAMED', 1)], 1],
  ['even where nobody is named', [candidate('2', 'NAMED'), candidate('1.5', 'UNNAMED')], 1],
  ['no amount agrees with any', [candidate('2', 'NAMED'), candidate(null, 'NAMED', 1)], 1],
  ['the named one wins over the other', [candidate('1.5', 'UNNAMED'), candidate('1.5', 'NAMED', 1)], 1],
  ['the older one wins', [candidate('1.5', 'NAMED', 1), candidate('1.5', 'NAMED')], 1],
  ['from the named sender another amount will do', [candidate('2', 'NAMED')], 0],
  ['without a name it is another transfer', [candidate('2', 'UNNAMED')], undefined],
  ['who names another VASP is none', [candidate('1.5', 'OTHER')], undefined],
])('of several records: %s', (_, candidates, chosen) => {
  const expected = chosen === undefined ? undefined : candidates[chosen];
  expect(bestCandidate(candidates, '1.5')).toBe(expected);
});
