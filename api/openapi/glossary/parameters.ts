import { EXAMPLE_IDS as ID } from '../example-ids.ts';

interface PathParameter {
  description: string;
  example: string | number;
}

/** Path parameters, by the path up to them. */
export const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  '/transactions/{id}': { description: 'The id of the transaction.', example: ID.transaction },
  '/partners/me/transactions/{id}': { description: 'The id of the message.', example: ID.partnerTransaction },
  '/partners/me/claims/{id}': { description: 'The id of the claim.', example: ID.partnerClaim },
  '/claims/{id}': { description: 'The id of the claim.', example: ID.claim },
  '/wallets/imports/{id}': { description: 'The id of the import.', example: ID.walletImport },
  '/wallets/{id}': { description: 'The number of the wallet.', example: ID.wallet },
  '/wallet-verification/{id}': { description: 'The id of the verification.', example: ID.verification },
  '/wallet-verification/{id}/files/{fileId}': { description: 'The id of the file.', example: ID.file },
  '/wallet-verification/{id}/additional-steps/{kind}': {
    description: 'The kind of the step.',
    example: 'SELFIE',
  },
  '/wallet-verification/{id}/additional-steps/{kind}/documents/{documentId}': {
    description: 'The id of the document.',
    example: ID.file,
  },
  '/wallet/verification/additional-steps/{kind}': { description: 'The kind of the step.', example: 'SELFIE' },
  '/wallet/verification/branding/{kind}': { description: 'The picture.', example: 'logo' },
  '/files/{token}': {
    description: 'The token of the link, as the answer with the link has it in `url`.',
    example: ID.fileToken,
  },
  '/trp/inquiries/{token}': {
    description: 'The token of the wallet, as its travel address has it.',
    example: ID.travelToken,
  },
  '/trp/resolutions/{token}': {
    description: 'The token of the inquiry, as its `callback` has it.',
    example: ID.resolutionToken,
  },
  '/trp/confirmations/{token}': {
    description: 'The token of the approval, as its `callback` has it.',
    example: ID.confirmationToken,
  },
  '/tenant/me/reports/{ym}': { description: 'The month, as YYYY-MM.', example: ID.month },
  '/exports/{id}': { description: 'The id of the export.', example: ID.export },
  '/export-files/{token}': {
    description: 'The token of the link, as the answer with the link has it in `url`.',
    example: ID.exportToken,
  },
  '/reports/{token}': {
    description: 'The token of the link, as the answer with the link has it in `url`.',
    example: ID.reportToken,
  },
  '/sanctions/addresses/{address}': {
    description: 'The address. Case does not matter, and every blockchain is compared.',
    example: '0x098B716B8Aaf21512996dC57EB0615e2383E2f96',
  },
  '/sanctions/history/{id}': { description: 'The id of the screening.', example: ID.screening },
  '/sanctions/suppressions/{id}': { description: 'The id of the suppression.', example: ID.suppression },
  '/rule-engine/{id}': { description: 'The id of the rule configuration.', example: ID.ruleConfiguration },
  '/rule-engine/{id}/versions/{version}': { description: 'The number of the published version.', example: 1 },
  '/rule-engine/{id}/starter-sets/{name}': {
    description: 'The name of the starter set.',
    example: 'conservative',
  },
  '/rule-engine/{id}/backtests/{backtestId}': {
    description: 'The id of the back-test.',
    example: ID.backtest,
  },
  '/entities/{id}': { description: 'The id of the entity.', example: ID.entity },
  '/counterparties/{entityId}': { description: 'The id of the entity.', example: ID.entity },
  '/kyw/history/{id}': { description: 'The id of the check.', example: ID.walletCheck },
  '/kyw/{blockchain}': {
    description: 'Name, alias, CAIP-2 id or EVM chain id of the blockchain.',
    example: 'Ethereum',
  },
  '/kyw/{blockchain}/{address}': {
    description: 'The address of the wallet.',
    example: '0x28C6c06298d514Db089934071355E5743bf21d60',
  },
  '/aml/search/history/{id}': { description: 'The id of the history entry.', example: ID.amlCheck },
  '/aml/analysis/{blockchain}': {
    description: 'Name, alias, CAIP-2 id or EVM chain id of the blockchain.',
    example: 'Ethereum',
  },
  '/aml/analysis/{blockchain}/wallet/{address}': {
    description: 'The address of the wallet.',
    example: '0x28C6c06298d514Db089934071355E5743bf21d60',
  },
  '/aml/analysis/{blockchain}/transaction/{txHash}': {
    description: 'The hash of the transaction.',
    example: '0x4f7c0a2b9d1e8635c7a04b2f6d93e158a0b7c4d2e9f61835a7c0d4b8e2f19603',
  },
  '/tenant/me/archive/{id}': { description: 'The id of the deleted transaction.', example: ID.transaction },
  '/tenant/me/api-keys/{id}': { description: 'The id of the API key.', example: ID.apiKey },
  '/users/{id}': { description: 'The id of the user.', example: ID.user },
  '/proposals/{id}': { description: 'The id of the proposal.', example: ID.proposal },
  '/tenant/me/service-keys/{feature}': { description: 'The feature.', example: 'aml_check' },
  '/tenant/me/webhook-deliveries/{id}': {
    description: 'The id of the delivery, as in X-Event-Id.',
    example: ID.delivery,
  },
  '/operator/tenants/{id}': { description: 'The id of the tenant.', example: ID.tenant },
  '/operator/tenants/{id}/api-keys/{keyId}': {
    description: 'The id of the API key.',
    example: ID.apiKey,
  },
  '/operator/partners/{id}': { description: 'The id of the partner.', example: ID.partner },
  '/operator/partners/{id}/api-keys/{keyId}': {
    description: 'The id of the key.',
    example: ID.partnerKey,
  },
  '/operator/tenants/{id}/attested-addresses/{attestationId}': {
    description: 'The id of the attestation.',
    example: ID.attestation,
  },
  '/tenant/me/brakes/{id}': { description: 'The id of the brake.', example: ID.brake },
  '/operator/tenants/{id}/brakes/{brakeId}': {
    description: 'The id of the brake.',
    example: ID.operatorBrake,
  },
  '/operator/transactions/{id}': {
    description: 'The id of the deleted transaction.',
    example: ID.transaction,
  },
  '/operator/wallet-verification/{id}': {
    description: 'The id of the deleted verification.',
    example: ID.verification,
  },
  '/operator/lists/{code}': { description: 'The code of the list, such as OFAC_SDN.', example: 'OWN_LIST' },
  '/operator/lists/{code}/versions/{version}': { description: 'The number of the version.', example: 1 },
  '/operator/entities/{id}': { description: 'The id of the entity.', example: ID.entity },
  '/operator/labels/{source}': { description: 'The code of the source.', example: 'own-labels' },
  '/sandbox/tenants/{id}': { description: 'The id of the tenant.', example: ID.tenant },
  '/sandbox/transactions/{id}': { description: 'The id of the transaction.', example: ID.transaction },
  '/sandbox/claims/{id}': { description: 'The id of the claim.', example: ID.claim },
  '/sandbox/wallet-verification/{id}': {
    description: 'The id of the verification.',
    example: ID.verification,
  },
};

/** Query parameters that mean the same in every list. Of those that take several values, the document says so. */
export const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  _from: 'Only what was made from then on.',
  _to: 'Only what was made until then, that moment included.',
  _updatedFrom: 'Only what changed from then on.',
  _status: 'Only with this status.',
  _subStatus: 'Only with this sub-status.',
  _direction: 'Only this direction.',
  _reference: 'Only the transaction with this `reference`.',
  _transactionHash: 'Only transfers with this hash.',
  _destination: 'Only transfers to this address.',
  _flow: 'Only verifications with this kind of proof.',
  _kind: 'Only of this kind.',
  _sanctioned: 'Only screenings with this result.',
  _listCode: 'Only suppressions of this list.',
  _policy: 'Only entities with this policy.',
  _warning: 'Only entities with this warning.',
  _type: 'Only this kind of entity.',
  _role: 'Only users with this role.',
  _riskSeverity: 'Only this class of risk.',
  _resourceId: 'Only webhooks of this record.',
  _state: 'Only versions in this state.',
  _change: 'Only this kind of change.',
  _actor: 'Only requests of this kind of actor.',
  _operation: 'Only requests of this operation.',
  _recordId: 'Only requests about this record.',
  _userId: 'Only requests of this user.',
  _apiKeyId: 'Only requests of this API key.',
  _tenantId: 'Only requests about this tenant.',
  _operator: 'Only requests with this operator’s key, by its name.',
  offset: 'Number of items to skip. 0 if absent.',
  limit: 'Number of items, 1 to 100. 100 if absent.',
  type: 'Only checks of wallets, or of transactions.',
  direction: 'The direction of the transaction, seen from the tenant. Some providers need it.',
};
