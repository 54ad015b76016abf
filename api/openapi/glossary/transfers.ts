/** Fields of transactions and of the parties of a transfer. */
export const TRANSFER_FIELDS: Readonly<Record<string, string>> = {
  // Parties, with the maximum lengths of IVMS101.
  'Party.type': 'A natural or a legal person.',
  'PartyInput.type': 'A natural or a legal person.',
  'PartyPatch.type': 'A natural or a legal person.',
  'Party.name': 'The whole name.',
  'PartyInput.name': 'The whole name. `firstName` and `lastName` may be given instead or beside it.',
  'PartyPatch.name': 'The whole name.',
  firstName: 'The first names of a natural person (IVMS101 `secondaryIdentifier`).',
  lastName: 'The last name of a natural person (IVMS101 `primaryIdentifier`).',
  accountNumber: 'The account of the customer at its VASP; the wallet address where there is none.',
  'Party.address': 'The postal address in one text.',
  'PartyInput.address': 'The postal address in one text.',
  'PartyPatch.address': 'The postal address in one text.',
  addressDetails: 'The postal address in parts.',
  street: 'The street.',
  buildingNumber: 'The number of the building.',
  postCode: 'The postal code.',
  town: 'The town.',
  countrySubDivision: 'The state, province or canton.',
  'Party.country': 'Country of residence or of registration, ISO 3166-1 alpha-2.',
  'PartyInput.country':
    'Country of residence or of registration: an ISO 3166-1 alpha-2 code or an English name. Stored and shown as the code.',
  'PartyPatch.country':
    'Country of residence or of registration: an ISO 3166-1 alpha-2 code or an English name.',
  aliases:
    'Other names of the same person or organisation: what it is also called, was called at birth, or is called in another script. Each is compared with the sanctions lists.',
  nationalIdentificatorType:
    'Kind of `nationalIdentificator`, a code of IVMS101: ARNU alien registration, CCPT passport, RAID registration ' +
    'authority, DRLC driving licence, FIIN foreign investment identity, TXID tax number, SOCS social security, IDCD identity ' +
    'card, LEIX Legal Entity Identifier, MISC other. PAS and PASSPORT are read as CCPT.',
  nationalIdentificator: 'The number of a document or in a register.',
  identifierCountry:
    'The country that issued `nationalIdentificator`, ISO 3166-1 alpha-2 or an English name.',
  registrationAuthority:
    'The authority that issued `nationalIdentificator`, a code of the GLEIF list such as RA000001.',
  lei: 'Legal Entity Identifier (ISO 17442): 20 characters, the last two are a checksum.',
  customerIdentification: "The tenant's own id of its customer.",
  dateOfBirth: 'Date of birth, `YYYY-MM-DD`.',
  placeOfBirth: 'Place of birth.',

  // The transfer itself.
  'CreateTransaction.direction':
    'OUTGOING sends a message; INCOMING records a transfer that the tenant has received. OUTGOING if absent.',
  'TestVaspMessage.direction': 'Always INCOMING: the record that the tenant receives.',
  'Transaction.direction': 'OUTGOING if the tenant sends the coins, INCOMING if it receives them.',
  asset: 'The ticker of the asset, such as ETH.',
  'Wallet.asset': 'The ticker of the asset; `*` means every asset of the blockchain.',
  'CreateTransaction.amount':
    'The amount in units of the asset. A JSON number of at most 15 digits, or a decimal text.',
  'TestVaspMessage.amount': 'The amount in units of the asset, as a JSON number or a decimal text.',
  'Transaction.amount':
    'The amount in units of the asset, as the nearest JSON number. `amountDecimal` is exact.',
  'ReceivedVersion.amount': 'The amount as the nearest JSON number. `amountDecimal` is exact.',
  amountDecimal: 'The exact amount in units of the asset, as a decimal text.',
  'Transaction.amountUsd': 'Value in US dollars at the time of creation; null without a price.',
  'Transaction.amountEur': 'Value in euros at the time of creation; null without a price.',
  reference:
    "The tenant's own id of the transfer. A second transaction with the same one is 409 `conflict` with the `id` of the first.",
  metadata: "A text of the tenant's own. The counterparty does not see it.",
  internalNote: 'A note for colleagues. The counterparty does not see it.',
  blockchainInfo: 'Where the transfer happens.',
  'TransactionBlockchainInfo.blockchain': 'The name of the blockchain as it was given; null if none was.',
  blockchain: 'The name of the blockchain, as `GET /blockchains` lists it.',
  'CreateTransactionBlockchainInfo.blockchain':
    "Name, alias, CAIP-2 id or EVM chain id of the blockchain. The asset's main chain if absent.",
  'PatchTransactionBlockchainInfo.blockchain': 'Name, alias, CAIP-2 id or EVM chain id of the blockchain.',
  transactionHash: 'The hash of the transfer on its blockchain. May be added after the transfer is sent.',
  'PatchTransaction.transactionHash': 'The same field as `blockchainInfo.transactionHash`; give one of them.',
  origin: 'The address that the coins come from.',
  originTag: 'The memo or destination tag of the origin, where the blockchain has one.',
  originType: 'Whether a VASP (CUSTODIAL) or the customer (NON_CUSTODIAL) holds the keys of the origin.',
  'CreateTransactionBlockchainInfo.originType':
    'Whether a VASP (CUSTODIAL) or the customer (NON_CUSTODIAL) holds the keys of the origin. CUSTODIAL if absent.',
  destination: 'The address that the coins go to.',
  destinationTag: 'The memo or destination tag of the destination, where the blockchain has one.',
  destinationType:
    'Whether a VASP (CUSTODIAL) or the customer (NON_CUSTODIAL) holds the keys of the destination.',
  isDestinationConfirmed:
    'INCOMING only: whether the destination is a confirmed wallet of the tenant. Until then the parties are hidden.',
  destinationWalletId: 'INCOMING only: the wallet of the tenant that the destination belongs to.',
  vaspInfo: 'The VASPs of both sides.',
  beneficiaryVaspName: 'The name of the VASP that receives the coins. The message is routed by it.',
  beneficiaryVaspEmail: 'The e-mail address of the VASP that receives the coins.',
  beneficiaryVaspExtraInfo: 'Anything else that is known about the VASP that receives the coins.',
  beneficiaryTravelAddress:
    'The travel address (TRP) that the customer got from the VASP that receives the coins. Its network is tried before others outside of this deployment.',
  beneficiaryVaspEntityId:
    'The entity in the directory that the beneficiary VASP is; null while it is not found.',
  originatorVaspName: 'The name of the VASP that sends the coins.',
  originatorVaspEmail: 'The e-mail address of the VASP that sends the coins.',
  originatorVaspEntityId:
    'The entity in the directory that the originator VASP is; null while it is not found.',
  originator: 'The customer who sends the coins.',
  beneficiary: 'The customer who receives the coins.',
  additionalOriginators: 'Further customers who send the coins together with the originator; at most 5.',

  // State.
  'Transaction.status':
    'PENDING until the message is delivered, DELIVERED until the counterparty answers, then CONFIRMED or DECLINED; ' +
    'FAILED if it could not be delivered, CANCELLED by the sender, a rule or a review.',
  'PatchTransaction.status':
    'The decision: CONFIRMED or DECLINED of an INCOMING transaction, CANCELLED of an OUTGOING one. A change that is not ' +
    'possible is 409 `invalid_transition`, with `allowed`.',
  'Transaction.statusReasoning': 'The reason given with the decision.',
  'PatchTransaction.statusReasoning': 'The reason of the decision in words. The counterparty sees it.',
  statusReasonCode: 'The reason of the decision as a code.',
  'Transaction.received':
    'What the other VASP says beside the data of the tenant: the message as it came, if the tenant has its own INCOMING record ' +
    'of the transfer; on an OUTGOING record what the beneficiary VASP says of the beneficiary.',
  travelRuleMessageSource:
    'The network that the message came through or was sent by; null while it was sent by none.',
  clearance: 'Whether the coins may move, and what to do next.',
  'TransactionCompleteness.profile': 'The rules that the data was checked against.',
  'TransactionCompleteness.complete': 'Whether all data that the rules require is there.',
  'TransactionCompleteness.missing': 'The fields that are missing, such as `originator.name`.',
  'TransactionWarning.message': 'The warning in words.',
  'TransactionReviewFileReview.at': 'When the review was made.',
  'TransactionReviewFileReview.decision': 'PROCEED continues the transaction, BLOCK ends it.',
  'TransactionReviewFileReview.reason': 'The reason in words. It never leaves the tenant.',
  'Review.decision': 'PROCEED continues the transaction, BLOCK ends it as CANCELLED or DECLINED.',

  // The log.
  'Event.id': 'The id of the entry.',
  'Event.type': 'What happened, such as CREATED, DELIVERED or STATUS_CHANGED.',
  'Event.createdAt': 'When it happened.',
  actor: 'Who caused it: a user, an API key, the service itself or the counterparty.',
  userId: 'The user who caused it; null for every other actor.',
  'Event.user': 'The user who caused it.',
  'EventUser.id': 'The id of the user.',
  'EventUser.name': 'The name of the user.',
  'EventUser.email': 'The e-mail address of the user.',
  apiKeyId: 'The API key that caused it; null for every other actor.',
  previousStatus: 'The status before, if it changed.',
  newStatus: 'The status after, if it changed.',
  'Event.message': 'What happened, in words without personal data.',
  'Event.data': 'Details that depend on `type`, without personal data.',
  'Event.basis': 'What the decision rests on, such as a rule version, a screening or a review.',
  'EventBasis.kind': 'The kind of what it rests on.',
  'EventBasis.id': 'Its id.',
  'EventBasis.version': 'Its version.',
  payloadHash: 'SHA-256 of the message as it was then, in hex; null where the entry has none.',
  'Event.version': 'The version of the record after the change.',
  'Event.sequence': 'The position in the log of the record, from 1.',
  'Event.hash': 'SHA-256 over this entry and `previousHash`, in hex.',
  previousHash: 'The `hash` of the entry before; null in the first.',
};
