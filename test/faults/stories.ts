import type { TestDatabase } from '../database.ts';
import { IS_FULL } from '../full.ts';
import type { CutWorker } from './cut-worker.ts';

/** Something that a worker does; it is told again and again, each time with records of its own. Returns how it ends. */
export type Story = () => Promise<unknown>;

export interface Cut {
  nth: number;
  when: 'BEFORE' | 'AFTER';
}

/**
 * Tells a story once as it is, and once for each cut; all must end alike. Returns how it ends. A long one is cut only after its
 * statements: after one is before the next.
 */
export async function expectSameEnds(
  worker: CutWorker,
  newStory: () => Promise<Story>,
  { isLong = false } = {},
): Promise<unknown> {
  const tell = async (cut: Cut | null) => {
    worker.clock.offsetMs = 0;
    const play = await newStory();
    worker.cuts.arm(cut?.nth ?? 0, cut?.when ?? 'BEFORE');
    const end = await play();
    return { end, at: worker.cuts.disarm() };
  };
  const { end } = await tell(null);
  const cuts = chosenCuts(worker.cuts.statements()).filter(({ when }) => !isLong || when === 'AFTER');
  expect(cuts.length).toBeGreaterThan(0);
  let done = 0;
  for (const cut of cuts) {
    const again = await tell(cut);
    expect({ cut, ...again }).toEqual({ cut, at: again.at, end });
    if (again.at !== undefined) done += 1;
  }
  // What is kept in memory since the first time is not read again.
  expect(done).toBeGreaterThan(cuts.length / 2);
  return end;
}

/** Every statement in a full run; otherwise the last of some kinds, and the first and the last COMMIT. */
export function chosenCuts(statements: readonly string[]): Cut[] {
  const told = withoutIdleLooks(statements);
  if (IS_FULL) {
    return told.flatMap((_text, index) =>
      (['BEFORE', 'AFTER'] as const).map((when) => ({ nth: index + 1, when })),
    );
  }
  const kinds = told.map(kindOf);
  const chosen = new Set([
    kinds.lastIndexOf('select'),
    kinds.lastIndexOf('with'),
    // Before the last update of several.
    kinds.lastIndexOf('update') - 1,
    kinds.indexOf('commit'),
    kinds.lastIndexOf('commit'),
  ]);
  // After a statement inside a transaction is before the next one; of a COMMIT nobody knows the result.
  return [...chosen].filter((index) => index >= 0).map((index) => ({ nth: index + 1, when: 'AFTER' }));
}

/** Without what a loop asks again and again once nothing is left to do: how often depends on the machine. */
function withoutIdleLooks(statements: readonly string[]): readonly string[] {
  const end = statements.findLastIndex((text) => text !== statements.at(-1));
  return statements.slice(0, end + 2);
}

function kindOf(text: string): string {
  return /\w+/.exec(text)?.[0].toLowerCase() ?? '';
}

export interface RecordsEnd {
  records: unknown[];
  events: unknown[];
  webhooks: unknown[];
  /** Webhooks that no workflow will ever send. */
  forgotten: string[];
}

/** What is stored of all records of these tenants, without ids and times. */
export async function endOf(
  { pool }: TestDatabase,
  tenants: readonly { id: string }[],
  told: ReadonlySet<string>,
): Promise<RecordsEnd> {
  const ids = tenants.map(({ id }) => id);
  const rowsOf = async (text: string) => (await pool.query<Record<string, unknown>>(text, [ids])).rows;
  const subjects = `(
    select id, tenant_id, direction as kind from transactions
    union all select id, tenant_id, 'VERIFICATION' from verifications
    union all select id, tenant_id, 'CLAIM ' || direction from claims
  ) s where s.tenant_id = any($1::uuid[])`;
  const order = `array_position($1::uuid[], s.tenant_id), s.kind`;
  const deliveries = await rowsOf(
    `select d.id, s.kind, d.kind as type, d.resource_version as version, d.status
     from webhook_deliveries d join ${subjects.replace(' where', ' on s.id = d.resource_id where')}
     order by ${order}, d.resource_version`,
  );
  return {
    records: [
      ...(await rowsOf(
        `select s.direction, s.status, s.sub_status, s.screening_state, s.hold, s.sealed, s.version,
           s.wake_at is null as rests
         from transactions s where s.tenant_id = any($1::uuid[])
         order by array_position($1::uuid[], s.tenant_id), s.direction`,
      )),
      ...(await rowsOf(
        `select s.status, s.warnings, s.version, s.wake_at is null as rests from verifications s
         where s.tenant_id = any($1::uuid[]) order by array_position($1::uuid[], s.tenant_id), s.status`,
      )),
      ...(await rowsOf(
        `select s.direction, s.status, s.failure_code, s.version, s.transaction_id is not null as has_transaction,
           s.wake_at is null as rests
         from claims s where s.tenant_id = any($1::uuid[])
         order by array_position($1::uuid[], s.tenant_id), s.direction`,
      )),
    ],
    events: await rowsOf(
      `select s.kind, e.type, e.previous_status, e.new_status, e.actor
       from events e join ${subjects.replace(' where', ' on s.id = e.subject_id where')}
       order by ${order}, e.sequence`,
    ),
    webhooks: deliveries.map(({ kind, type, version, status }) => ({ kind, type, version, status })),
    forgotten: deliveries.flatMap(({ id }) => (told.has(String(id)) ? [] : [String(id)])),
  };
}
