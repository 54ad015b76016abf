/** A partner of the network that acts by one of its keys. */
export interface PartnerCaller {
  kind: 'PARTNER';
  partnerId: string;
  actor: { kind: 'PARTNER_KEY'; id: string };
}
