import type { Schemas } from './operations.ts';

export type Transaction = Schemas['Transaction'];
export type CreateTransaction = Schemas['CreateTransaction'];
export type PatchTransaction = Schemas['PatchTransaction'];
export type Review = Schemas['Review'];
export type Wallet = Schemas['Wallet'];
export type WalletVerification = Schemas['WalletVerification'];
export type CreateWalletVerification = Schemas['CreateWalletVerification'];
export type Screening = Schemas['Screening'];
export type Rule = Schemas['Rule'];
export type PatchRuleDraft = Schemas['PatchRuleDraft'];
export type RuleConfiguration = Schemas['RuleConfiguration'];
export type Entity = Schemas['Entity'];
export type Counterparty = Schemas['Counterparty'];
export type Tenant = Schemas['Tenant'];
export type Settings = Schemas['Settings'];
export type EventSeal = Schemas['EventSeal'];
