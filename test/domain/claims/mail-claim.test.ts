import { markClaimLinkRenewed, markClaimOpened } from '../../../domain/claims/mail-claim.ts';
import type { ClaimRecord } from '../../../domain/claims/record.ts';
import { CLAIM_STATUSES, isOpenClaim } from '../../../domain/claims/state.ts';

const then = new Date('2026-04-01T12:00:00Z');
const now = new Date('2026-11-23T12:00:00Z');

test.each(CLAIM_STATUSES)('a %s claim that is looked at: only an open one has changed by that', (status) => {
  const claim = { status, updatedAt: then } as ClaimRecord;
  for (const { own } of [markClaimOpened(claim, { linkId: 'l', now }), markClaimLinkRenewed(claim, now)]) {
    expect(own?.events).toHaveLength(1);
    expect(own?.after.updatedAt).toEqual(isOpenClaim(claim) ? now : then);
  }
});
