import type { EntityRecord, EntityRisk, EntityType, RiskSeverity } from './entity.ts';
import { FATF } from './jurisdictions.ts';

/** One reason for an entity's risk; the highest score counts. */
export interface RiskFactor {
  code: 'ASSESSED' | 'TENANT' | 'TYPE' | 'FATF_CALL_FOR_ACTION' | 'FATF_INCREASED_MONITORING';
  /** The type or country that causes it. */
  value: string | null;
  /** 0 to 100, high is risky. */
  score: number | null;
}

const CALL_FOR_ACTION_SCORE = 90;
const INCREASED_MONITORING_SCORE = 55;
const TENANT_SCORE = 10;

/** Scores by type, equal to those of the builtin address check, so that an entity and its addresses have equal scores. */
const SCORES: [score: number, types: EntityType[]][] = [
  [100, ['sanction_list', 'terrorism', 'ransomware', 'child_abuse']],
  [
    85,
    [
      'mixing_service',
      'mixing_pattern',
      'hack',
      'darkweb',
      'scam',
      'community_reported_scam',
      'phishing',
      'poisoning',
      'suspicious',
      'seized_assets',
      'ongoing_legal_action',
      'peeling_chain_unknown_origin',
    ],
  ],
  [55, ['gambling', 'atm', 'ico', 'large_unnamed_entity']],
  [35, ['service', 'dex', 'decentralized_service', 'cross_chain_bridge_protocol', 'bot', 'donations']],
];
const OTHER_TYPES_SCORE = 10;

/** The severity of a score: low < 34 <= medium < 67 <= high. */
export function severityOf(score: number): RiskSeverity {
  if (score < 34) return 'low';
  return score < 67 ? 'medium' : 'high';
}

type RiskSubject = Pick<EntityRecord, 'type' | 'countries' | 'inNetwork'>;

/** The risk factors of type and countries. For a tenant, TENANT replaces the type: the operator knows its tenants. */
function estimatedFactors({ type, countries, inNetwork }: RiskSubject): RiskFactor[] {
  const own: RiskFactor = inNetwork
    ? { code: 'TENANT', value: null, score: TENANT_SCORE }
    : { code: 'TYPE', value: type, score: scoreOfType(type) };
  return [own, ...countries.flatMap(countryFactor)];
}

function scoreOfType(type: EntityType): number {
  return SCORES.find(([, types]) => types.includes(type))?.[0] ?? OTHER_TYPES_SCORE;
}

function countryFactor(country: string): RiskFactor[] {
  const isIn = (list: readonly string[]) => list.includes(country);
  if (isIn(FATF.callForAction)) {
    return [{ code: 'FATF_CALL_FOR_ACTION', value: country, score: CALL_FOR_ACTION_SCORE }];
  }
  if (!isIn(FATF.increasedMonitoring)) return [];
  return [{ code: 'FATF_INCREASED_MONITORING', value: country, score: INCREASED_MONITORING_SCORE }];
}

/** The estimated risk of an entity that was not assessed. */
export function estimateRisk(subject: RiskSubject): EntityRisk {
  const riskScore = Math.max(...estimatedFactors(subject).map(({ score }) => score ?? 0));
  return { riskScore, riskSeverity: severityOf(riskScore), riskAssessedAt: null };
}

/** The reasons for an entity's risk. */
export function riskFactors(entity: EntityRecord): RiskFactor[] {
  if (entity.riskAssessedAt === null) return estimatedFactors(entity);
  const assessed: RiskFactor = { code: 'ASSESSED', value: entity.riskSeverity, score: entity.riskScore };
  return [assessed, ...entity.countries.flatMap(countryFactor)];
}

/** Whether a country is on the FATF's call for action. */
export function isHighRiskCountry(country: string): boolean {
  return (FATF.callForAction as readonly string[]).includes(country);
}
