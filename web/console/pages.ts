import { html } from 'lit';
import { AUDIT_LOG } from './audit/audit-list.ts';
import { CLAIMS } from './claims/claim-list.ts';
import { COUNTERPARTIES } from './counterparties/counterparty-list.ts';
import { DELIVERIES } from './deliveries/deliveries.ts';
import { listPage } from './list-page.ts';
import { PROPOSALS } from './proposals/proposal-list.ts';
import { RECONCILIATION } from './reconciliation/reconciliation-list.ts';
import type { Permission } from './session.ts';
import { TRANSACTIONS } from './transactions/transaction-list.ts';
import { VERIFICATIONS } from './verifications/verification-list.ts';

export interface PageDefinition {
  /** In the address. */
  name: string;
  title: string;
  group: 'Work' | 'Records' | 'Insight' | 'Set-up';
  /** What follows `g` on the keyboard. */
  key?: string;
  /** Who sees it; everybody unless given. */
  permission?: Permission;
  list: (query: URLSearchParams) => unknown;
  record?: (id: string) => unknown;
}

/** All pages, in the order of the navigation. */
export const PAGES: readonly PageDefinition[] = [
  {
    name: 'work',
    title: 'Work list',
    group: 'Work',
    key: 'w',
    list: (query) => html`<wb-work-page .query=${query}></wb-work-page>`,
  },
  {
    name: 'proposals',
    title: 'Proposals',
    group: 'Work',
    key: 'p',
    list: (query) => listPage(PROPOSALS, query),
    record: (id) => html`<wb-proposal-page .recordId=${id}></wb-proposal-page>`,
  },
  {
    name: 'transactions',
    title: 'Transactions',
    group: 'Records',
    key: 't',
    list: (query) => listPage(TRANSACTIONS, query),
    record: (id) => html`<wb-transaction-page .recordId=${id}></wb-transaction-page>`,
  },
  {
    name: 'verifications',
    title: 'Verifications',
    group: 'Records',
    key: 'v',
    list: (query) => listPage(VERIFICATIONS, query),
    record: (id) => html`<wb-verification-page .recordId=${id}></wb-verification-page>`,
  },
  {
    name: 'wallets',
    title: 'Wallets',
    group: 'Records',
    key: 'a',
    list: (query) => html`<wb-wallets-page .query=${query}></wb-wallets-page>`,
  },
  {
    name: 'claims',
    title: 'Claims',
    group: 'Records',
    key: 'c',
    list: (query) => listPage(CLAIMS, query),
    record: (id) => html`<wb-claim-page .recordId=${id}></wb-claim-page>`,
  },
  {
    name: 'reconciliation',
    title: 'Reconciliation',
    group: 'Records',
    key: 'r',
    list: (query) => listPage(RECONCILIATION, query),
  },
  {
    name: 'counterparties',
    title: 'Counterparties',
    group: 'Records',
    key: 'o',
    list: (query) => listPage(COUNTERPARTIES, query),
    record: (id) => html`<wb-counterparty-page .recordId=${id}></wb-counterparty-page>`,
  },
  {
    name: 'statistics',
    title: 'Statistics',
    group: 'Insight',
    key: 's',
    list: (query) => html`<wb-statistics-page .query=${query}></wb-statistics-page>`,
  },
  {
    name: 'reports',
    title: 'Reports',
    group: 'Insight',
    permission: 'EXPORT',
    list: () => html`<wb-reports-page></wb-reports-page>`,
  },
  {
    name: 'exports',
    title: 'Exports',
    group: 'Insight',
    key: 'x',
    permission: 'EXPORT',
    list: () => html`<wb-exports-page></wb-exports-page>`,
  },
  {
    name: 'audit',
    title: 'Audit log',
    group: 'Insight',
    permission: 'EXPORT',
    list: (query) => listPage(AUDIT_LOG, query),
  },
  {
    name: 'rules',
    title: 'Rules',
    group: 'Set-up',
    key: 'e',
    list: () => html`<wb-rules-page></wb-rules-page>`,
    record: (id) => html`<wb-configuration-page .recordId=${id}></wb-configuration-page>`,
  },
  {
    name: 'deliveries',
    title: 'Deliveries',
    group: 'Set-up',
    key: 'd',
    list: (query) => listPage(DELIVERIES, query),
    record: (id) => html`<wb-delivery-page .recordId=${id}></wb-delivery-page>`,
  },
  {
    name: 'brakes',
    title: 'Brakes',
    group: 'Set-up',
    key: 'b',
    list: () => html`<wb-brakes-page></wb-brakes-page>`,
  },
  {
    name: 'settings',
    title: 'Settings',
    group: 'Set-up',
    list: () => html`<wb-settings-page></wb-settings-page>`,
  },
];
