/** The networks outside of this deployment. Each has gateways: hidden tenants that stand for its VASPs. */
const GATEWAYS = ['PARTNER', 'TRP', 'EMAIL'] as const;
export type Gateway = (typeof GATEWAYS)[number];

/** The network of a partner, as entities name it in `networks` and records in `travelRuleMessageSource`. */
export function partnerNetwork(name: string): string {
  return `PARTNER:${name}`;
}

/** The channel of a message as records show it: NATIVE between tenants, else the name of the gateway. */
export function messageSourceOf({ gateway, name }: { gateway: Gateway | null; name: string }): string {
  return gateway === null ? 'NATIVE' : name;
}
