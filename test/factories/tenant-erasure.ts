import type { TenantErasure } from '../../domain/tenant-erasures/schema.ts';
import type { z } from 'zod';
import type { Json, TestAnswer, TestApi } from '../api-client.ts';

export type Erasure = z.infer<typeof TenantErasure>;

/** The keys of three operators, for the settings of a deployment. */
export const NAMED_OPERATORS = ['ada', 'ben', 'cyd'].map((name) => ({
  name,
  key: `${name}-a5f0c1d2e3b4968778695a4b`,
}));
export type Operator = 'ada' | 'ben' | 'cyd';

const REASON = 'The contract has ended.';

/** Calls about erasures, each by an operator. */
export function erasuresOf(api: Pick<TestApi, 'request'>) {
  const call = async <T = Erasure>(
    by: Operator,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: Json,
  ): Promise<TestAnswer<T>> => {
    const operatorKey = NAMED_OPERATORS.find(({ name }) => name === by)?.key ?? '';
    return await api.request<T>(method, path, { operatorKey, ...(body && { body }) });
  };
  const path = (id: string) => `/operator/tenants/${id}/erasure`;
  return {
    call,
    plan: async (id: string, body: Json = {}, by: Operator = 'ada') =>
      await call<Erasure & Json>(by, 'POST', path(id), { reason: REASON, ...body }),
    approve: async (id: string, body?: Json, by: Operator = 'ben') =>
      await call<Erasure & Json>(by, 'POST', `${path(id)}/approve`, body),
    callOff: async (id: string, by: Operator = 'cyd') => await call<Erasure & Json>(by, 'DELETE', path(id)),
    read: async (id: string) => await call<Erasure & Json>('cyd', 'GET', path(id)),
    fireTimer: async (id: string) =>
      await call<Erasure & Json>('cyd', 'POST', `/sandbox/tenants/${id}/erasure/fire-timer`),
  };
}
