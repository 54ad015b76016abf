import type { TransferClaim } from '../../domain/claims/schema.ts';
import type { EventView } from '../../domain/events/schema.ts';
import type { Json, TestAnswer } from '../api-client.ts';
import type { Client } from './tenant.ts';
import { evmAddress, evmHash } from './transaction.ts';

interface ClaimOverrides extends Json {
  /** Added to the fields of the default, which are not replaced as a whole. */
  blockchainInfo?: Json;
}

/** The smallest valid body of a claim, of a transfer of its own. */
export function claimBody({ blockchainInfo = {}, ...overrides }: ClaimOverrides = {}) {
  return {
    asset: 'ETH',
    blockchainInfo: {
      blockchain: 'Ethereum',
      transactionHash: evmHash(),
      destination: evmAddress(),
      ...blockchainInfo,
    },
    ...overrides,
  };
}

/** Makes a claim of the tenant; throws if it is refused. */
export async function createClaim(
  tenant: Pick<Client, 'post'>,
  overrides: ClaimOverrides = {},
): Promise<TransferClaim> {
  const answer = await tenant.post<TransferClaim>('/claims', claimBody(overrides));
  if (answer.status !== 201) throw new Error(`no claim was made: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export async function readClaim(tenant: Pick<Client, 'get'>, id: string): Promise<TransferClaim> {
  return (await tenant.get<TransferClaim>(`/claims/${id}`)).body;
}

/** The types of the events of a claim, oldest first. */
export async function claimEvents(tenant: Pick<Client, 'get'>, id: string): Promise<string[]> {
  const { body } = await tenant.get<EventView[]>(`/claims/${id}/events`);
  return body.map(({ type }) => type).toReversed();
}

/** The asked tenant's record of a claim; undefined while there is none. */
export async function askedClaim(
  tenant: Pick<Client, 'get'>,
  { blockchainInfo }: TransferClaim,
): Promise<TransferClaim | undefined> {
  const query = `_direction=INCOMING&_transactionHash=${blockchainInfo.transactionHash}`;
  const { body }: TestAnswer<TransferClaim[]> = await tenant.get<TransferClaim[]>(`/claims?${query}`);
  return body[0];
}
