import { severityOf } from '../aml/severity.ts';
import { riskOfType } from '../aml/type-risk.ts';
import type { EntityRecord, EntityRisk } from './entity.ts';
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

/** What an entity's risk is estimated from. */
export type RiskSubject = Pick<EntityRecord, 'type' | 'countries' | 'inNetwork'>;

/** The risk factors of type and countries. For a tenant, TENANT replaces the type: the operator knows its tenants. */
function estimatedFactors({ type, countries, inNetwork }: RiskSubject): RiskFactor[] {
  const own: RiskFactor = inNetwork
    ? { code: 'TENANT', value: null, score: TENANT_SCORE }
    : { code: 'TYPE', value: type, score: riskOfType(type) };
  return [own, ...countries.flatMap(countryFactor)];
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

/** The countries on the FATF's call for action. */
export const HIGH_RISK_COUNTRIES: readonly string[] = FATF.callForAction;

/** Whether a country is on the FATF's call for action. */
export function isHighRiskCountry(country: string): boolean {
  return HIGH_RISK_COUNTRIES.includes(country);
}
