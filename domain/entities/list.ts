import { z } from 'zod';
import { listQuery, oneOrMore } from '../list-query.ts';
import { ENTITY_TYPES, RISK_SEVERITIES } from './entity.ts';

const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** The query of `GET /entities`, and of the operator's list. */
export const ListEntitiesQuery = listQuery({
  sortable: ['createdAt', 'updatedAt', 'name', 'type', 'riskScore', 'riskAssessedAt', 'id'],
  filters: {
    _inNetwork: Flag.describe('Whether the entity is a tenant of this deployment.'),
    _isRiskAssessed: Flag.describe('Whether the operator has assessed the risk; otherwise it is estimated.'),
    _isDuplicate: Flag.describe('Whether the entity is a duplicate of another one.'),
    _type: oneOrMore(z.enum(ENTITY_TYPES)),
    _riskSeverity: oneOrMore(z.enum(RISK_SEVERITIES)),
  },
});
export type EntityList = z.output<typeof ListEntitiesQuery>;

/** The query of `GET /entities/lookup`. */
export const LookupEntityQuery = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('A name or alias; case, accents and repeated spaces make no difference.'),
});
