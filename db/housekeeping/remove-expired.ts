import { KEPT_SECONDS, MONTH_OVER_SECONDS, type KeptForATime } from '../../domain/retention.ts';
import type { Queryable } from '../postgres.ts';

// $1 is the age in seconds, $2 the size of the batch. Locked rows are left for the next batch. The age is checked
// again under the row lock, so that a redelivery keeps its body.
const STATEMENTS: Record<KeptForATime, string> = {
  idempotencyKeys: `
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at < now() - make_interval(secs => $1)
      order by created_at limit $2 for update skip locked))`,
  webhookBodies: `
    update webhook_deliveries set body = null where id = any(array(
      select id from webhook_deliveries
      where finished_at < now() - make_interval(secs => $1) and body is not null
      order by finished_at limit $2 for update skip locked))`,
  // What is left once its month could have been dropped: a late redelivery holds it, or no partition was made for it. A place is
  // unique in one partition only.
  webhookAttempts: `
    with old as materialized (
      select tableoid as child, ctid as place from webhook_attempts
      where started_at < now() - make_interval(secs => $1 + ${MONTH_OVER_SECONDS})
      order by started_at limit $2 for update skip locked
    )
    delete from webhook_attempts a where a.ctid = any(array(select place from old))
      and exists (select from old o where o.child = a.tableoid and o.place = a.ctid)`,
  walletImports: `
    delete from wallet_imports where ctid = any(array(
      select ctid from wallet_imports where finished_at < now() - make_interval(secs => $1)
      order by finished_at limit $2 for update skip locked))`,
  walletUploads: `
    with old as (
      select ctid, import_id from wallet_import_chunks where created_at < now() - make_interval(secs => $1)
      order by created_at limit $2 for update skip locked
    ), failed as (
      update wallet_imports set state = 'FAILED', finished_at = now()
      where state = 'RUNNING' and id in (select import_id from old)
    )
    delete from wallet_import_chunks where ctid = any(array(select ctid from old))`,
  // Only marks the files. Uploads under way are younger: forms end within minutes.
  abandonedFiles: `
    update verification_files set state = 'REMOVING' where id = any(array(
      select id from verification_files
      where state = 'ARRIVING' and created_at < now() - make_interval(secs => $1)
      order by created_at limit $2 for update skip locked))`,
  refusedFiles: `
    update verification_files set state = 'REMOVING' where id = any(array(
      select id from verification_files
      where state = 'STORED' and refused_at < now() - make_interval(secs => $1)
      order by refused_at limit $2 for update skip locked))`,
  screenings: `
    delete from screenings where ctid = any(array(
      select ctid from screenings where created_at < now() - make_interval(secs => $1)
      order by created_at limit $2 for update skip locked))`,
  // A check that was asked again is as old as its last result.
  amlChecks: `
    delete from aml_checks where ctid = any(array(
      select ctid from aml_checks where created_at < now() - make_interval(secs => $1) and (state <> 'PENDING' or lease_until < now())
        and (fetched_at is null or fetched_at < now() - make_interval(secs => $1))
      order by created_at limit $2 for update skip locked))`,
  walletChecks: `
    delete from wallet_checks where ctid = any(array(
      select ctid from wallet_checks where created_at < now() - make_interval(secs => $1)
      order by created_at limit $2 for update skip locked))`,
  prices: `
    delete from prices where ctid = any(array(
      select ctid from prices where priced_at < now() - make_interval(secs => $1)
      limit $2 for update skip locked))`,
  userSessions: `
    delete from user_sessions where ctid = any(array(
      select ctid from user_sessions where expires_at < now() - make_interval(secs => $1)
      order by expires_at limit $2 for update skip locked))`,
  countedTries: `
    delete from counted_tries where ctid = any(array(
      select ctid from counted_tries where since < now() - make_interval(secs => $1)
      order by since limit $2 for update skip locked))`,
  mails: `
    delete from mails where ctid = any(array(
      select ctid from mails where created_at < now() - make_interval(secs => $1)
      order by created_at limit $2 for update skip locked))`,
  userLinks: `
    delete from user_links where ctid = any(array(
      select ctid from user_links where expires_at < now() - make_interval(secs => $1)
      order by expires_at limit $2 for update skip locked))`,
  addressAnswers: `
    delete from address_answers where ctid = any(array(
      select ctid from address_answers where answered_at < now() - make_interval(secs => $1)
      order by answered_at limit $2 for update skip locked))`,
};

/** Removes up to `limit` expired rows of all tenants. Returns their number. */
export async function removeExpired(db: Queryable, what: KeptForATime, limit: number): Promise<number> {
  const { rowCount } = await db.query(STATEMENTS[what], [KEPT_SECONDS[what], limit]);
  return rowCount ?? 0;
}
