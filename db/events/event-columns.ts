import type { EventBasis, Event, SubjectKind } from '../../domain/events/event.ts';
import type { Actor } from '../../domain/events/actor.ts';
import type { Column } from '../columns.ts';

export const eventColumns: Column<Event>[] = [
  { name: 'subject_id', type: 'uuid', value: (event) => event.subjectId },
  { name: 'sequence', type: 'int', value: (event) => event.sequence },
  { name: 'id', type: 'uuid', value: (event) => event.id },
  { name: 'tenant_id', type: 'uuid', value: (event) => event.tenantId },
  { name: 'subject_kind', type: 'text', value: (event) => event.subjectKind },
  { name: 'version', type: 'int', value: (event) => event.version },
  { name: 'type', type: 'text', value: (event) => event.type },
  { name: 'created_at', type: 'timestamptz', value: (event) => event.createdAt },
  { name: 'actor', type: 'text', value: (event) => event.actor },
  { name: 'user_id', type: 'uuid', value: (event) => event.userId },
  { name: 'api_key_id', type: 'uuid', value: (event) => event.apiKeyId },
  { name: 'previous_status', type: 'text', value: (event) => event.previousStatus },
  { name: 'new_status', type: 'text', value: (event) => event.newStatus },
  { name: 'message', type: 'text', value: (event) => event.message },
  { name: 'data', type: 'text', cast: 'jsonb', value: (event) => JSON.stringify(event.data) },
  {
    name: 'basis',
    type: 'text',
    cast: 'jsonb',
    value: (event) => event.basis && JSON.stringify(event.basis),
  },
  { name: 'payload_hash', type: 'text', value: (event) => event.payloadHash },
  { name: 'previous_hash', type: 'bytea', value: (event) => event.previousHash },
  { name: 'hash', type: 'bytea', value: (event) => event.hash },
];

export interface EventRow {
  subject_id: string;
  sequence: number;
  id: string;
  tenant_id: string;
  subject_kind: SubjectKind;
  version: number;
  type: string;
  created_at: Date;
  actor: Actor['kind'];
  user_id: string | null;
  api_key_id: string | null;
  previous_status: string | null;
  new_status: string | null;
  message: string;
  data: Record<string, unknown>;
  basis: EventBasis | null;
  payload_hash: string | null;
  previous_hash: Buffer | null;
  hash: Buffer;
}

export function toEvent(row: EventRow): Event {
  return {
    subjectId: row.subject_id,
    subjectKind: row.subject_kind,
    sequence: row.sequence,
    id: row.id,
    tenantId: row.tenant_id,
    version: row.version,
    type: row.type,
    createdAt: row.created_at,
    actor: row.actor,
    userId: row.user_id,
    apiKeyId: row.api_key_id,
    previousStatus: row.previous_status,
    newStatus: row.new_status,
    message: row.message,
    data: row.data,
    basis: row.basis,
    payloadHash: row.payload_hash,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}
