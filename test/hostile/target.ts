import { randomUUID } from 'node:crypto';
import type { TestTenant } from '../factories/tenant.ts';
import { evmAddress, evmHash } from '../factories/transaction.ts';

/** A chain with a node, so that it takes satoshi tests. */
export const SCANNED = 'Besieged Chain';

/** An amount of satoshi tests that everybody knows. */
export const CHOSEN_AMOUNT = '0.015';

/** Records that are reached by an id, in the words of the paths. */
export type RecordName =
  | 'transactions'
  | 'incoming'
  | 'archive'
  | 'claims'
  | 'wallets'
  | 'imports'
  | 'walletVerification'
  | 'files'
  | 'screenings'
  | 'suppressions'
  | 'ruleEngine'
  | 'rules'
  | 'backtests'
  | 'walletChecks'
  | 'amlChecks'
  | 'apiKeys'
  | 'webhookDeliveries'
  | 'users'
  | 'proposals'
  | 'brakes'
  | 'exports';

/**
 * What a hostile tenant knows of another one: all that is public or can be learnt elsewhere, and the ids of its records.
 * Until a record exists its id is one that nobody has.
 */
export interface Target {
  tenantId: string;
  entityId: string;
  name: string;
  customer: string;
  origin: string;
  destination: string;
  deposit: string;
  selfHosted: string;
  transactionHash: string;
  reference: string;
  idempotencyKey: string;
  webhookUrl: string;
  userEmail: string;
  /** Of a user that an attacker of this target makes: nobody has it. */
  otherEmail: string;
  csvFile: string;
  cursor: string;
  ids: Record<RecordName, string>;
}

/** The number of a wallet that does not exist. */
const NO_WALLET = '999999999';

/** A tenant that has done nothing yet, and the values that its acts will have. */
export async function newTarget(tenant: TestTenant): Promise<Target> {
  const { body } = await tenant.get(`/entities/lookup?name=${encodeURIComponent(tenant.name)}`);
  return {
    tenantId: tenant.id,
    entityId: String(body['id']),
    name: tenant.name,
    // Letters only: names are searched by words.
    customer: `Xenophilius ${randomUUID().replaceAll(/[^a-f]/g, '')}`,
    origin: evmAddress(),
    destination: evmAddress(),
    deposit: evmAddress(),
    selfHosted: evmAddress(),
    transactionHash: evmHash(),
    reference: `order-${randomUUID()}`,
    idempotencyKey: randomUUID(),
    webhookUrl: `https://hooks.example/${randomUUID()}`,
    userEmail: `user-${randomUUID()}@victim.example`,
    otherEmail: `user-${randomUUID()}@attacker.example`,
    csvFile: `address,asset,blockchain\n${evmAddress()},*,Ethereum\n`,
    cursor: 'AAAAAAAAAAAAAAAAAAAAAA',
    ids: {
      transactions: randomUUID(),
      incoming: randomUUID(),
      archive: randomUUID(),
      claims: randomUUID(),
      wallets: NO_WALLET,
      imports: randomUUID(),
      walletVerification: randomUUID(),
      files: randomUUID(),
      screenings: randomUUID(),
      suppressions: randomUUID(),
      ruleEngine: randomUUID(),
      rules: randomUUID(),
      backtests: randomUUID(),
      walletChecks: randomUUID(),
      amlChecks: randomUUID(),
      apiKeys: randomUUID(),
      webhookDeliveries: randomUUID(),
      users: randomUUID(),
      proposals: randomUUID(),
      brakes: randomUUID(),
      exports: randomUUID(),
    },
  };
}
