import { plainNumber } from '../../decimal.ts';
import type { Facts } from '../../rules/facts.ts';
import { missingFieldsOf } from '../completeness.ts';
import type { TransactionRecord } from '../record.ts';
import type { BeneficiaryMatch } from '../beneficiary-match.ts';
import { countedMatches } from './released-matches.ts';
import type { TransactionScreening } from './screening.ts';
import { isSelfHosted } from '../self-hosted-wallet.ts';

/** Facts about a transfer from the tenant's other records. */
export interface TransferContext {
  /** The self-hosted wallet's verification: the surest VERIFIED one, else the newest in any state. */
  verification: { status: string; flow: string | null } | null;
  /** The duplicates of the counterparty in the directory. */
  counterpartyDuplicateIds: string[];
  /** How the beneficiary fits the holder of the destination wallet; null where either is unknown. */
  beneficiaryMatch: BeneficiaryMatch | null;
  /** The customer's transfers of the last 24 hours, this one included; null if the transfer names no customer. */
  rolling24h: {
    count: string;
    /** The sum of those whose value is known. */
    knownEur: string;
    /** Whether the value of every one is known. */
    isComplete: boolean;
  } | null;
}

/** The facts that the rules read. Unknown facts are left out: a missing fact satisfies no condition. */
export function factsOf(
  record: TransactionRecord,
  {
    sanctions,
    aml,
    wallet,
    notAsked,
    counterparty,
  }: Omit<TransactionScreening, 'id' | 'recordVersion' | 'screenedAt'>,
  { verification, beneficiaryMatch, rolling24h, counterpartyDuplicateIds }: TransferContext,
): Facts {
  const { originator, beneficiary } = record.personal;
  const { nameMatch, addressMatch } = countedMatches(sanctions);
  const facts: Record<keyof Facts, unknown> = {
    amount: record.amount,
    amountUsd: record.amountUsd,
    amountEur: record.amountEur,
    asset: record.asset,
    blockchain: record.blockchain,
    originType: record.originType,
    destinationType: record.destinationType,
    originatorType: originator?.type,
    beneficiaryType: beneficiary?.type,
    originatorCountry: originator?.country,
    beneficiaryCountry: beneficiary?.country,
    missingFields: missingFieldsOf(record),
    counterpartyEntityId: counterparty?.entityId,
    counterpartyDuplicateIds: counterpartyDuplicateIds.length > 0 ? counterpartyDuplicateIds : undefined,
    counterpartyEntityType: counterparty?.type,
    counterpartyEntityCountry: counterparty?.countries,
    counterpartyInNetwork: counterparty?.inNetwork,
    counterpartyRiskSeverity: counterparty?.riskSeverity,
    isDestinationConfirmed: record.isDestinationConfirmed,
    beneficiaryMatch,
    messageSource: record.messageSource?.split(':')[0],
    walletClassification: wallet?.classification,
    agenticDetected: wallet?.agenticDetected,
    walletVerificationStatus: isSelfHosted(record) ? verification?.status : undefined,
    walletVerificationFlow: isSelfHosted(record) ? verification?.flow : undefined,
    amlRiskScore: aml?.riskScore === null ? undefined : aml && plainNumber(aml.riskScore),
    amlRiskSeverity: aml?.riskSeverity,
    // An answer without a score and without categories says that the provider knows nothing.
    amlCategories:
      aml?.status === 'COMPLETE' && (aml.riskScore !== null || aml.categories.length > 0)
        ? aml.categories
        : undefined,
    amlNotAsked: notAsked,
    sanctionsNameMatch: nameMatch,
    sanctionsAddressMatch: addressMatch,
    rolling24hAmount: rolling24h?.isComplete ? rolling24h.knownEur : undefined,
    rolling24hAmountAtLeast: rolling24h?.isComplete ? undefined : rolling24h?.knownEur,
    rolling24hCount: rolling24h?.count,
    hasTransactionHash: record.transactionHash !== null,
    hourUtc: String(record.createdAt.getUTCHours()),
  };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known) as Facts;
}
