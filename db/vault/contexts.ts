/** The ids of a record that has a key of its own. */
interface RecordRef {
  tenantId: string;
  id: string;
}

interface FileRef extends RecordRef {
  verificationId: string;
}

interface DecisionRef extends RecordRef {
  transactionId: string;
}

/**
 * Additional authenticated data of every sealed value: its table, column and row. A value does not open anywhere
 * else. Changing one of these texts makes stored values unreadable.
 */
export const sealingContext = {
  transaction: {
    key: ({ tenantId, id }: RecordRef) => `transactions:${tenantId}:${id}`,
    personal: ({ tenantId, id }: RecordRef) => `transactions:personal:${tenantId}:${id}`,
    payload: ({ tenantId, id }: RecordRef, eventId: string) =>
      `payload_versions:${tenantId}:${id}:${eventId}`,
    webhook: ({ tenantId, id }: RecordRef, deliveryId: string) =>
      `webhook_deliveries:${tenantId}:${id}:${deliveryId}`,
    screening: ({ tenantId, id }: RecordRef, screeningId: string) =>
      `transaction_screenings:${tenantId}:${id}:${screeningId}`,
    answer: ({ tenantId, id }: RecordRef, key: string) => `idempotency_keys:${tenantId}:${id}:${key}`,
  },
  verification: {
    key: ({ tenantId, id }: RecordRef) => `verifications:${tenantId}:${id}`,
    personal: ({ tenantId, id }: RecordRef) => `verifications:personal:${tenantId}:${id}`,
  },
  claim: {
    key: ({ tenantId, id }: RecordRef) => `claims:${tenantId}:${id}`,
    personal: ({ tenantId, id }: RecordRef) => `claims:personal:${tenantId}:${id}`,
  },
  verificationFile: {
    content: ({ tenantId, verificationId, id }: FileRef) =>
      `verification_files:content:${tenantId}:${verificationId}:${id}`,
    details: ({ tenantId, verificationId, id }: FileRef) =>
      `verification_files:details:${tenantId}:${verificationId}:${id}`,
  },
  ruleDecision: {
    facts: ({ tenantId, transactionId, id }: DecisionRef) =>
      `rule_decisions:facts:${tenantId}:${transactionId}:${id}`,
    trace: ({ tenantId, transactionId, id }: DecisionRef) =>
      `rule_decisions:trace:${tenantId}:${transactionId}:${id}`,
  },
  rules: {
    draft: (configurationId: string) => `rule_configurations:draft:${configurationId}`,
    content: (configurationId: string, version: number) =>
      `rule_versions:content:${configurationId}:${version}`,
    comment: (configurationId: string, version: number) =>
      `rule_versions:comment:${configurationId}:${version}`,
  },
  backtest: {
    content: (tenantId: string, id: string) => `rule_backtests:content:${tenantId}:${id}`,
    change: (tenantId: string, transactionId: string, backtestId: string) =>
      `rule_backtest_changes:${tenantId}:${transactionId}:${backtestId}`,
  },
  tenantErasure: { reason: (id: string) => `tenant_erasures:reason:${id}` },
  brake: { reason: (tenantId: string, id: string) => `brakes:reason:${tenantId}:${id}` },
  wallet: {
    metadata: (tenantId: string, id: number) => `wallets:metadata:${tenantId}:${id}`,
    holderName: (tenantId: string, id: number) => `wallets:holder_name:${tenantId}:${id}`,
  },
  walletImport: {
    chunk: ({ tenantId, id }: RecordRef, sequence: number) =>
      `wallet_import_chunks:${tenantId}:${id}:${sequence}`,
    faults: (tenantId: string, id: string) => `wallet_imports:faults:${tenantId}:${id}`,
  },
  walletCheck: { body: (tenantId: string, id: string) => `wallet_checks:body:${tenantId}:${id}` },
  amlCheck: { answer: (tenantId: string, id: string) => `aml_checks:answer:${tenantId}:${id}` },
  serviceKey: { key: (tenantId: string, keyId: string) => `service_keys:key:${tenantId}:${keyId}` },
  sanctionsScreening: {
    subject: (tenantId: string, id: string) => `screenings:subject:${tenantId}:${id}`,
    answer: (tenantId: string, id: string) => `screenings:answer:${tenantId}:${id}`,
  },
  suppression: {
    details: (tenantId: string, id: string) => `screening_suppressions:details:${tenantId}:${id}`,
  },
  counterparty: {
    note: (tenantId: string, entityId: string) => `counterparties:note:${tenantId}:${entityId}`,
    step: (tenantId: string, id: string) => `counterparty_steps:note:${tenantId}:${id}`,
  },
  user: {
    personal: (tenantId: string, id: string) => `users:personal:${tenantId}:${id}`,
    secondFactor: (tenantId: string, id: string) => `users:second_factor:${tenantId}:${id}`,
  },
  proposal: { request: (tenantId: string, id: string) => `proposals:request:${tenantId}:${id}` },
  export: {
    key: ({ tenantId, id }: RecordRef) => `exports:${tenantId}:${id}`,
    content: (tenantId: string, objectKey: string) => `exports:content:${tenantId}:${objectKey}`,
    purpose: (tenantId: string, id: string) => `exports:purpose:${tenantId}:${id}`,
    filter: (tenantId: string, id: string) => `exports:filter:${tenantId}:${id}`,
  },
  report: {
    key: ({ tenantId, id }: RecordRef) => `monthly_reports:${tenantId}:${id}`,
    content: (tenantId: string, objectKey: string) => `monthly_reports:content:${tenantId}:${objectKey}`,
  },
  mail: { content: (tenantId: string, id: string) => `mails:content:${tenantId}:${id}` },
  portalLink: { address: (tenantId: string, id: string) => `portal_links:address:${tenantId}:${id}` },
  auditEntry: { origin: (tenantId: string, id: string) => `audit_entries:origin:${tenantId}:${id}` },
  session: { successor: (tenantId: string, id: string) => `user_sessions:successor:${tenantId}:${id}` },
  apiKey: { text: (tenantId: string, id: string) => `api_keys:${tenantId}:${id}` },
  tenant: {
    webhookSecret: (tenantId: string) => `tenants:webhook_secret:${tenantId}`,
    previousWebhookSecret: (tenantId: string) => `tenants:webhook_secret_previous:${tenantId}`,
  },
  brandingFile: { content: (tenantId: string, id: string) => `branding_files:${tenantId}:${id}` },
  partner: { webhookSecret: (partnerId: string) => `partners:webhook_secret:${partnerId}` },
  trpTransfer: { content: (tenantId: string, id: string) => `trp_transfers:${tenantId}:${id}` },
  keptAnswer: { body: (tenantId: string, key: string) => `idempotency_keys:${tenantId}:${key}` },
};
