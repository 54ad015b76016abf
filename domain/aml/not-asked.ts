/** Why no AML provider was asked about a wallet: what is not known of it, or that the tenant has activated none. */
export const NOT_ASKED = ['NO_ADDRESS', 'NO_CHAIN', 'UNKNOWN_CHAIN', 'NO_PROVIDER'] as const;
export type NotAsked = (typeof NOT_ASKED)[number];
