import { requireComparedLists } from '../../db/transactions/compared-lists.ts';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Queryable } from '../../db/postgres.ts';
import { requireJudgedVasp, requireSameVasp } from '../../db/lifecycle/new-counterparty.ts';
import { namedOriginator } from '../../db/lifecycle/resolve-counterparty.ts';
import { changeAndRelate } from '../../db/lifecycle/relate-transfer.ts';
import { changeBlockchain } from '../../db/lifecycle/rematch-destination.ts';
import { storeAppliedJudgement, type TransactionJudgement } from '../../db/lifecycle/settle-screening.ts';
import { changeTransaction, type TransactionCommand } from '../../db/transactions/change-transaction.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { NOT_LOOKED, requireSeen } from '../../domain/transactions/screening-due.ts';
import {
  confirmWithData,
  unscreenedData,
  type PatchedVerdict,
} from '../../domain/transactions/changing/confirm-with-data.ts';
import { hashFields } from '../../domain/normalised-places.ts';
import { patchTransaction, type PatchAct } from '../../domain/transactions/changing/patch-transaction.ts';
import { PatchTransactionBody } from '../../domain/transactions/schema.ts';
import { actorOf } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { refuseTravelAddress } from './refuse-travel-address.ts';

export const patchTransactionEndpoint = defineEndpoint({
  operationId: 'patchTransaction',
  method: 'PATCH',
  path: '/transactions/{id}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Decide on a transaction or change its data',
  description:
    'The changes are applied together or not at all; null clears a field. An INCOMING transaction can become CONFIRMED ' +
    'or DECLINED, an OUTGOING one CANCELLED; setting the present status again changes nothing. Party data that changes ' +
    'after delivery is sent to the counterparty as a new version. After a final status only the hash, `metadata` and ' +
    '`internalNote` can change. Only a review can decide on a transaction that a sanctions match holds, or confirm one ' +
    'that a rule lets wait (409 `review_required`). A received message is screened before it is confirmed, within the ' +
    'request where that is due, together with the data that the request brings; 409 `screening_pending` while a list or ' +
    'a provider does not answer: try again. ' +
    '`allowed` of a 409 `invalid_transition` lists the statuses that would be accepted now.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchTransactionBody,
  example: {
    body: {
      status: 'DECLINED',
      statusReasonCode: 'NAME_MISMATCH',
      statusReasoning: 'The wallet belongs to somebody else.',
    },
  },
  responses: { 200: { description: 'Done; the body is empty.', schema: null } },
  errors: ['invalid_transition', 'review_required', 'screening_pending', 'conflict'],
  async handle({ params, body, caller }, deps) {
    refuseTravelAddress(body, deps.settings);
    const ref = { tenantId: caller.tenantId, id: params.id };
    const confirms = body.status === 'CONFIRMED';
    const blockchain = body.blockchainInfo?.blockchain;
    if (blockchain !== undefined) await deps.addressQuestions.askAboutChain(ref, blockchain);
    const looked = confirms ? await deps.screenInRequest(ref) : NOT_LOOKED;
    const now = new Date();
    const fourEyes = confirms && (await isReviewedByTwo(deps.db.pool, ref.tenantId));
    const name = body.vaspInfo?.originatorVaspName ?? null;
    const namedOriginatorId = await namedOriginator(deps.db.pool, ref.tenantId, name);
    const act = { actor: actorOf(caller), now, fourEyes, namedOriginatorId };
    const settlement = confirms && bringsData(body) ? await judgeData(deps, ref, { body, act }) : null;
    const judged = settlement && verdictIn(settlement);
    let isJudged = false;
    // The present status once more is no confirmation: it lets nothing pass.
    let passes = false;
    const command: TransactionCommand = {
      ...ref,
      now,
      decide: (own, counterpart) => {
        const change = confirms
          ? confirmWithData(own, counterpart, body, { ...act, judged })
          : patchTransaction(own, counterpart, body, act);
        isJudged = judged?.version === own.version + 1;
        passes = confirms && change.own !== null && change.own.after.status !== own.status;
        if (passes) requireSeen(looked, own);
        return change;
      },
      also: async (tx, written) => {
        if (settlement && isJudged) {
          await storeAppliedJudgement(tx, settlement);
          const judgedId = settlement.basis.counterparty?.entityId ?? null;
          await requireJudgedVasp(deps.db, tx, { written, judgedId });
        } else if (passes) {
          await requireComparedLists(tx, written);
          await requireSameVasp(deps.db, tx, { written, described: looked.vasp });
        }
      },
    };
    const { outbox } = await deps.writeInTurn(
      ref.tenantId,
      async () => await changeStored(deps.db, body, command),
    );
    deps.notifyWorkflows(outbox);
    return { status: 200 };
  },
});

async function isReviewedByTwo(db: Queryable, tenantId: string): Promise<boolean> {
  return (await getTenantSettings(db, tenantId)).fourEyes.review;
}

/** A changed hash, chain or originator VASP may tell which message and own record are of one transfer. */
async function changeStored(db: Database, body: PatchTransactionBody, command: TransactionCommand) {
  const { transactionHash = body.blockchainInfo?.transactionHash } = body;
  const blockchain = body.blockchainInfo?.blockchain;
  const isRelated =
    transactionHash !== undefined ||
    blockchain !== undefined ||
    body.vaspInfo?.originatorVaspName !== undefined;
  if (!isRelated) return await changeTransaction(db, command);
  const hashNormal = transactionHash === undefined ? undefined : hashFields(transactionHash).hashNormal;
  return blockchain === undefined
    ? await changeAndRelate(db, command, hashNormal)
    : await changeBlockchain(db, command, { blockchain, hashNormal });
}

const DECISION_FIELDS = new Set(['status', 'statusReasoning', 'statusReasonCode']);

/** Whether the request changes more than the decision. */
function bringsData(body: PatchTransactionBody): boolean {
  return Object.keys(body).some((field) => !DECISION_FIELDS.has(field));
}

/** The verdict on the data that a confirmation brings with it; null where none is needed or possible now. */
async function judgeData(
  { judgeInRequest }: Deps,
  ref: { tenantId: string; id: string },
  { body, act }: { body: PatchTransactionBody; act: PatchAct },
): Promise<TransactionJudgement | null> {
  return await judgeInRequest(ref, (own) => {
    const patched = unscreenedData(own, body, act);
    return patched && { ...patched, version: own.version + 1 };
  });
}

function verdictIn({ open, verdict, now }: TransactionJudgement): PatchedVerdict {
  return { version: open.record.version, verdict, now };
}
