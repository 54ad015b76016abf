// Why: tenants are told by mail what somebody may have done in their name, once each; a mail is not tried beyond the time of
// its link; and mails that nobody got are counted for the operator.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table mails
      add column once text,
      add column give_up_at timestamptz(3),
      drop constraint mails_kind_check,
      add constraint mails_kind_check check (kind in ('INVITATION', 'PASSWORD_RESET', 'WEBHOOK_DISABLED',
        'WEBHOOK_URL_CHANGED', 'KEY_ENDING', 'SIGN_IN_FROM_NEW_ADDRESS'));
    create unique index mails_once on mails (tenant_id, kind, once);
    create index mails_failed on mails (created_at) where status = 'FAILED';

    -- From where a user has signed in, by a keyed hash of user and address.
    create table user_addresses (
      tenant_id uuid not null references tenants,
      user_id uuid not null references users,
      hash bytea not null,
      seen_at timestamptz(3) not null,
      primary key (user_id, hash)
    );
    create index api_keys_expiry on api_keys (id) where expires_at is not null and revoked_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index api_keys_expiry;
    drop table user_addresses;
    drop index mails_failed, mails_once;
    delete from mails where kind not in ('INVITATION', 'PASSWORD_RESET');
    alter table mails
      drop constraint mails_kind_check,
      add constraint mails_kind_check check (kind in ('INVITATION', 'PASSWORD_RESET')),
      drop column give_up_at,
      drop column once;
  `);
}
