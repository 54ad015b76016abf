import { checkAuditLogs } from '../../../db/audit/check-audit-logs.ts';
import { auditLog, chainAll, nextHour } from '../../factories/audit.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// The role of the service may add rows of any content to the counts, and the worker gives the entries that it makes of them their MACs.
const { api, database } = useApi();
const tenant = useTenantPerTest(api);
const KEY = '0190d1a2-7b3c-7def-8123-456789abcdef';

test.each([
  ['an act of an operator', `'OPERATOR', '', 'setLegalHold', '', 'tx-1', 7`],
  ['an act of a user', `'USER', '${KEY}', 'deleteTransaction', '', 'tx-1', 7`],
  ['what an API key did to a record', `'API_KEY', '${KEY}', 'deleteTransaction', '', 'tx-1', 7`],
  ['what somebody unknown was let do', `'UNKNOWN', '', 'deleteTransaction', '', 'tx-1', 7`],
  ['of a key that is none', `'API_KEY', 'no uuid', 'listWallets', '', '', 7`],
  ['of no request', `'API_KEY', '${KEY}', 'listWallets', '', '', -7`],
  ['of an hour that never was', `'API_KEY', '${KEY}', 'listWallets', '', '', 7`, `'-infinity'`],
])(
  'a count that no program writes, %s, becomes no entry, stops no other count and is found',
  async (_what, row, hour = `date_trunc('hour', now()) - interval '3 hours'`) => {
    await tenant.get('/wallets');
    await api.deps.audit.close();
    await database.pool.query(
      `insert into audit_counts (tenant_id, hour, actor, api_key_id, operation, code, record_id, requests) values ($1, ${hour}, ${row})`,
      [tenant.id],
    );
    try {
      await chainAll(api, nextHour());
      const entries = await auditLog(tenant, '?_operation=setLegalHold,deleteTransaction,listWallets');
      expect(entries.map(({ operation, requests }) => [operation, requests])).toEqual([['listWallets', 1]]);
      const { faults } = await checkAuditLogs(api.db, nextHour());
      expect(faults).toEqual([{ id: tenant.id, fault: 'a count of requests that no program has written' }]);
    } finally {
      await database.pool.query('delete from audit_counts');
    }
    expect((await checkAuditLogs(api.db, nextHour())).faults).toEqual([]);
  },
);
