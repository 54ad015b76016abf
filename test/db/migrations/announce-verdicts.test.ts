import knex, { type Knex } from 'knex';
import { down, up } from '../../../db/migrations/20261122_0026_announce_verdicts.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

const ARRIVED = `direction = 'INCOMING', message_source = 'NATIVE', deadline_at = null`;
const RECEIVED = `${ARRIVED}, status = 'DELIVERED'`;
const SEALED = `${RECEIVED}, sealed = true`;

/** What is due after the migration, and whether a workflow is to screen it now. */
const ROWS = [
  {
    name: 'sealed and screened',
    columns: `${SEALED}, screening_state = 'CLEARED', wake_at = null`,
    is: ['DUE', false],
  },
  {
    name: 'sealed and held',
    columns: `${SEALED}, screening_state = 'CLEARED', hold = 'SANCTIONS'`,
    is: ['DUE', false],
  },
  {
    name: 'sealed and delayed',
    columns: `${SEALED}, screening_state = 'DUE', is_screening_delayed = true, wake_at = now()`,
    is: ['DUE', false],
  },
  {
    name: 'sealed and not screened by its tenant',
    columns: `${SEALED}, screening_state = null, wake_at = null`,
    is: [null, false],
  },
  {
    name: 'sealed and declined',
    columns: `${ARRIVED}, sealed = true, screening_state = 'CLEARED', status = 'DECLINED', wake_at = null`,
    is: ['CLEARED', false],
  },
  {
    name: 'open',
    columns: `${RECEIVED}, screening_state = 'CLEARED', wake_at = null`,
    is: ['CLEARED', false],
  },
  {
    name: 'open and due',
    columns: `${RECEIVED}, screening_state = 'DUE', wake_at = now()`,
    is: ['DUE', true],
  },
] as const;

describe('migration 0026 on rows of the version before', () => {
  const idOf = new Map<string, string>();
  let db: Knex;

  beforeAll(async () => {
    for (const { name } of ROWS) idOf.set(name, (await createTransaction(tenant)).id);
    db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
    await db.transaction(down);
    for (const { name, columns } of ROWS)
      await db.raw(`update transactions set ${columns} where id = ?`, [idOf.get(name) ?? '']);
    await db.transaction(up);
  });
  afterAll(async () => await db.destroy());

  const stored = async (name: string) => {
    const { rows } = await database.pool.query<{
      state: string | null;
      is_woken: boolean;
      hold: string | null;
    }>(
      `select screening_state as state, wake_at is not null as is_woken, hold, is_screening_delayed, announce_at
       from transactions where id = $1`,
      [idOf.get(name)],
    );
    return rows[0];
  };

  test.each(ROWS)('$name', async ({ name, is: [state, isWoken] }) => {
    expect(await stored(name)).toMatchObject({ state, is_woken: isWoken, announce_at: null });
  });

  test('keeps a hold, and delays nothing that is sealed', async () => {
    expect(await stored('sealed and held')).toMatchObject({ hold: 'SANCTIONS' });
    expect(await stored('sealed and delayed')).toMatchObject({ is_screening_delayed: false });
  });

  test('the way back wakes what is sealed and due', async () => {
    await db.transaction(down);
    const { rows } = await database.pool.query(
      'select wake_at is not null as is_woken from transactions where id = $1',
      [idOf.get('sealed and screened')],
    );
    await db.transaction(up);
    expect(rows).toEqual([{ is_woken: true }]);
  });
});
