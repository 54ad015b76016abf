// Why: a VASP on no network gets a link by e-mail, and reads and answers a message on a page, with a code that goes to the same
// mailbox. The version before runs on this schema.
import type { Knex } from 'knex';

const BEFORE = [
  'INVITATION',
  'PASSWORD_RESET',
  'WEBHOOK_DISABLED',
  'WEBHOOK_URL_CHANGED',
  'KEY_ENDING',
  'SIGN_IN_FROM_NEW_ADDRESS',
  'EMAIL_CHANGED',
];
const PORTAL = ['PORTAL_LINK', 'PORTAL_REMINDER', 'PORTAL_UPDATE', 'PORTAL_CODE'];

// The token of a link is derived from the key of its record, so none is stored, and none counts once the record is erased.
const LINKS = `
  create table portal_links (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    transaction_id uuid not null,
    address bytea not null,
    mail_id uuid unique,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    ended_at timestamptz(3),
    sent_at timestamptz(3),
    reminders int not null default 0,
    opened_at timestamptz(3),
    tries int not null default 0,
    code_hash bytea,
    code_expires_at timestamptz(3),
    session_hash bytea,
    session_expires_at timestamptz(3)
  );
  create index portal_links_transaction on portal_links (transaction_id, created_at desc);
  create unique index portal_links_current on portal_links (transaction_id) where ended_at is null;
`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`${LINKS}; ${allowKinds([...BEFORE, ...PORTAL])}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table portal_links;
    delete from mails where kind like 'PORTAL%';
    ${allowKinds(BEFORE)}`);
}

function allowKinds(kinds: readonly string[]): string {
  const list = kinds.map((kind) => `'${kind}'`).join(', ');
  return `alter table mails drop constraint mails_kind_check, add constraint mails_kind_check check (kind in (${list}))`;
}
