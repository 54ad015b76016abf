// What messages and claims have in common, in words.

/** What can be asked for, in words. @type {[import('../../../domain/portal/schema.ts').PortalMessage['requestedFields'][number], string][]} */
export const FIELDS = [
  ['originator.name', 'name of the originator'],
  ['originator.accountNumber', 'account number of the originator'],
  ['originator.address', 'address of the originator'],
  ['originator.country', 'country of the originator'],
  ['originator.dateOfBirth', 'date of birth of the originator'],
  ['originator.placeOfBirth', 'place of birth of the originator'],
  ['originator.nationalIdentificator', 'document number of the originator'],
  ['originator.customerIdentification', 'customer number of the originator'],
  ['originator.lei', 'LEI of the originator'],
  ['beneficiary.name', 'name of the beneficiary'],
  ['beneficiary.accountNumber', 'account number of the beneficiary'],
  ['blockchainInfo.origin', 'address from which the coins come'],
];

/**
 * A field, or several of which one will do (`|`) or all are needed (`+`), in words.
 * @param {string} missing
 */
export function wordsOf(missing) {
  const each = (/** @type {string} */ field) =>
    FIELDS.find(([known]) => known === field || known === `originator.${field}`)?.[1] ?? field;
  const ways = missing.split('|').map((way) => way.split('+').map(each).join(', '));
  return sentence(ways.join('; or '));
}

/** @param {string} text */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Where the coins went, and in which transfer.
 * @param {Record<'blockchain' | 'destination' | 'destinationTag' | 'origin' | 'transactionHash', string | null>} info
 */
export function placeOf(info) {
  return {
    Blockchain: info.blockchain,
    'Destination address': info.destination,
    'Tag or memo': info.destinationTag,
    'Sender address': info.origin,
    'Transaction hash': info.transactionHash,
  };
}
