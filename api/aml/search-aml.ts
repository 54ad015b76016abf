import { requireProvider } from '../../aml/analyse.ts';
import { findLastChecks } from '../../db/aml/find-last-checks.ts';
import type { CheckRecord } from '../../domain/aml/check.ts';
import {
  candidatesOf,
  SearchQuery,
  SearchResults,
  type ChainCandidate,
  type SearchItem,
} from '../../domain/aml/search.ts';
import { severityOf } from '../../domain/aml/severity.ts';
import { defineEndpoint } from '../endpoint.ts';

export const searchAmlEndpoint = defineEndpoint({
  operationId: 'searchAml',
  method: 'GET',
  path: '/aml/search',
  auth: 'TENANT',
  limit: 'SCREENING',
  tag: 'AML',
  summary: 'Find what an address or a hash can be checked as',
  description:
    'Lists every blockchain on which the text is an address or can be a transaction hash, with the latest check. ' +
    'Blockchains on which the tenant has checked it come first. No request to a provider is made and no credit is spent.',
  query: SearchQuery,
  example: { query: { q: '0x28C6c06298d514Db089934071355E5743bf21d60' } },
  responses: { 200: { description: 'One page.', schema: SearchResults } },
  errors: ['provider_not_activated'],
  async handle({ query: { q, offset, limit }, caller: { tenantId } }, { aml, db }) {
    await requireProvider(aml, tenantId);
    const candidates = candidatesOf(q.trim());
    const checks = await findLastChecks(db, tenantId, candidates);
    const items = candidates
      .map((candidate) => toItem(candidate, checks))
      .toSorted((one, other) => Number(other.lastCheck !== null) - Number(one.lastCheck !== null));
    return { status: 200, body: { items: items.slice(offset, offset + limit), total: items.length } };
  },
});

function toItem(candidate: ChainCandidate, checks: readonly CheckRecord[]): SearchItem {
  const check = checks.find(
    ({ subject }) => subject.kind === candidate.type && subject.blockchain === candidate.blockchain,
  );
  if (!check) return { ...candidate, entity: null, lastCheck: null };
  const { riskScore, entity } = check.finding;
  const lastCheck = {
    id: check.id,
    riskScore,
    riskSeverity: severityOf(riskScore),
    fetchedAt: check.fetchedAt.toISOString(),
  };
  return { ...candidate, entity, lastCheck };
}
