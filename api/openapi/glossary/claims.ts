/** Fields of claims. */
export const CLAIM_FIELDS: Readonly<Record<string, string>> = {
  'CreateClaimBlockchainInfo.blockchain': 'Name, alias, CAIP-2 id or EVM chain id of the blockchain.',
  'ClaimBlockchainInfo.blockchain': 'The name of the blockchain as it was given.',
  'CreateClaimBlockchainInfo.transactionHash': 'The hash of the transfer that has arrived.',
  'ClaimBlockchainInfo.transactionHash': 'The hash of the transfer.',
  'CreateClaimBlockchainInfo.origin':
    'The address that the coins came from. Without a name that is known, the VASP that has registered it is asked.',
  'CreateClaimVaspInfo.originatorVaspName': 'The VASP that is asked: the one that has sent the coins.',
  'ClaimVaspInfo.originatorVaspName': 'The VASP that is asked; null if none was named.',
  'CreateClaimVaspInfo.originatorVaspEmail':
    'The mailbox of the VASP that is asked, for one on no network; the one in the directory if absent.',
  'ClaimVaspInfo.originatorVaspEmail':
    'The mailbox that you have named; null if none, and of INCOMING claims.',
  'ClaimVaspInfo.beneficiaryVaspName': 'The VASP that asks.',
  'PortalClaim.amountDecimal':
    'The amount in units of the asset, as the asking VASP knows it; null if it does not.',
  'PortalClaim.beneficiary':
    'The customer of the asking VASP; null if it was not named, or the directory does not have the domain of the mailbox.',
  'ClaimedData.originator': 'Your customer, who sent the coins.',
  'ClaimedData.beneficiary': 'The customer who received the coins.',
  'CreateClaim.vaspInfo': 'The VASP that is asked. That of your own record of the transfer if absent.',
  'CreateClaim.beneficiary':
    'Your customer. Its name is sent: a transaction of the asked VASP to that name answers the claim without a person.',
  'CreateClaimBeneficiary.name': 'The whole name of your customer.',
  'Claim.beneficiary': 'The customer of the asking VASP; null if it was not named.',
  'ClaimBeneficiary.name': 'The whole name of the customer.',
  'CreateClaim.requestedFields':
    'The data that is missing. What your record of the transfer lacks if absent.',
  'ClaimTransaction.vaspInfo': 'The VASP that is asked. That of the transaction if absent.',
  'ClaimTransaction.beneficiary':
    'Your customer. Its name is sent: a transaction of the asked VASP to that name answers the claim without a person.',
  'ClaimTransaction.requestedFields': 'The data that is missing. What the transaction lacks if absent.',
  'ReconciliationItem.transactionId': 'The transaction.',
  'ReconciliationItem.direction': 'INCOMING or OUTGOING.',
  'ReconciliationItem.status': 'The status of the transaction.',
  'ReconciliationItem.reference': "The tenant's own id of the transaction; null if it has none.",
  'ReconciliationItem.counterpartyEntityId': 'The entity of the other VASP; null if it is not known.',
  'CounterpartyStep.note': 'Free text; stored encrypted.',
  'SunriseOverride.at': 'When it was decided.',
  'SunriseOverride.reason': 'Why. It never leaves the tenant.',
  'Claim.requestedFields': 'The data that is missing, by the names of `missingFields` in rules.',
  'Claim.direction': 'OUTGOING if you have made the claim, INCOMING if it was made to you.',
  'Claim.status':
    'PENDING until the originator VASP is reached, DELIVERED until it answers, then ANSWERED, or DECLINED by it; EXPIRED ' +
    'at `deadlineAt`, CANCELLED by the asking VASP, FAILED if nobody was found or reached.',
  'PatchClaim.status':
    'CANCELLED by the asking, DECLINED by the asked VASP. Any other change is 409 `invalid_transition`, with `allowed`.',
  'Claim.statusReasoning': 'The reason of the refusal; of a cancellation only its maker sees it.',
  'PatchClaim.statusReasoning': 'The reason in words. The asking VASP sees that of a refusal.',
  'Claim.failureCode':
    'Why it is FAILED: VASP_NOT_FOUND, no network leads to the originator VASP; VASP_NOT_REACHABLE, it was not reached for ' +
    '72 hours. Else null.',
  'Claim.transactionId':
    'OUTGOING: your INCOMING transaction that the answer completes. INCOMING: your OUTGOING transaction that answers; null before.',
  'Claim.deadlineAt':
    'The end of the time for an answer: `claimDeadlineDays` working days of the TARGET calendar after the day of creation.',
  'Claim.remindedAt': 'When the asked VASP was reminded; null before, and of OUTGOING claims.',
  'AnswerClaim.transactionId': 'Your OUTGOING transaction of the transfer. Give this or party data.',
  'AnswerClaim.amount':
    'The amount in units of the asset, as a JSON number or a decimal text. Unknown if absent.',
  'AnswerClaim.originator': 'Your customer, who sent the coins. Required without a `transactionId`.',
  'AnswerClaim.beneficiary':
    'The customer who received the coins. Without a name the answer is held for your review.',
};
