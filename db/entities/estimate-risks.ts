import type { EntityType } from '../../domain/entities/entity.ts';
import { estimateRisk } from '../../domain/entities/risk.ts';
import type { Queryable } from '../postgres.ts';

/** The facts from which the risks of some entities are estimated. */
interface EstimateBasis {
  type: EntityType;
  in_network: boolean;
  /** Joined by semicolons. */
  countries: string;
}

/**
 * Estimates the risk of every entity anew that nobody has assessed: of tenants' and operators' entities as of bundled
 * ones, after the scale or the list of jurisdictions has changed. Notes the changed entities in the temporary table
 * `changed_entities`, and returns their number.
 */
export async function estimateRisksAgain(tx: Queryable, now: Date): Promise<number> {
  const { rows: bases } = await tx.query<EstimateBasis>(
    `select distinct type, in_network, array_to_string(countries, ';') as countries
     from entities where risk_assessed_at is null`,
  );
  const risks = bases.map((basis) =>
    estimateRisk({
      type: basis.type,
      inNetwork: basis.in_network,
      countries: basis.countries === '' ? [] : basis.countries.split(';'),
    }),
  );
  const { rowCount } = await tx.query(
    `with estimated as (
       update entities e set risk_score = r.score, risk_severity = r.severity, updated_at = $6
       from unnest($1::text[], $2::boolean[], $3::text[], $4::int[], $5::text[])
         as r(type, in_network, countries, score, severity)
       where e.risk_assessed_at is null and e.type = r.type and e.in_network = r.in_network
         and array_to_string(e.countries, ';') = r.countries
         and (e.risk_score, e.risk_severity) is distinct from (r.score, r.severity)
       returning e.id
     )
     insert into changed_entities select id, false from estimated`,
    [
      bases.map(({ type }) => type),
      bases.map(({ in_network }) => in_network),
      bases.map(({ countries }) => countries),
      risks.map(({ riskScore }) => riskScore),
      risks.map(({ riskSeverity }) => riskSeverity),
      now,
    ],
  );
  return rowCount ?? 0;
}
