import { ActBar } from './act-bar.ts';
import { ActDialog } from './act-dialog.ts';
import { ConsoleApp } from './app.ts';
import { BrakesPage } from './brakes/brakes-page.ts';
import { ClaimPage } from './claims/claim-page.ts';
import { CounterpartyPage } from './counterparties/counterparty-page.ts';
import { DeliveryPage } from './deliveries/deliveries.ts';
import { ExportsPage } from './exports/exports-page.ts';
import { ListPage } from './list-page.ts';
import { NoticeBar } from './notice.ts';
import { ProposalPage } from './proposals/proposal-page.ts';
import { RecordList } from './record-list.ts';
import { ReportsPage } from './reports/reports-page.ts';
import { ConfigurationPage } from './rules/configuration-page.ts';
import { RuleBacktests } from './rules/rule-backtests.ts';
import { RuleSimulation } from './rules/rule-simulation.ts';
import { RuleVersions } from './rules/rule-versions.ts';
import { RulesPage } from './rules/rules-page.ts';
import { SettingsPage } from './settings/settings-page.ts';
import { SignInForm } from './sign-in.ts';
import { StatisticsPage } from './statistics/statistics-page.ts';
import { TransactionPage } from './transactions/transaction-page.ts';
import { ProofFiles } from './verifications/proof-files.ts';
import { VerificationPage } from './verifications/verification-page.ts';
import { CsvUpload } from './wallets/csv-upload.ts';
import { WalletsPage } from './wallets/wallets-page.ts';
import { WorkPage } from './work/work-page.ts';
import { ItemPreview, WorkPreview } from './work/work-preview.ts';

const ELEMENTS: Readonly<Record<string, CustomElementConstructor>> = {
  'wb-act-bar': ActBar,
  'wb-act-dialog': ActDialog,
  'wb-brakes-page': BrakesPage,
  'wb-claim-page': ClaimPage,
  'wb-configuration-page': ConfigurationPage,
  'wb-counterparty-page': CounterpartyPage,
  'wb-csv-upload': CsvUpload,
  'wb-delivery-page': DeliveryPage,
  'wb-exports-page': ExportsPage,
  'wb-item-preview': ItemPreview,
  'wb-list-page': ListPage,
  'wb-notice-bar': NoticeBar,
  'wb-proof-files': ProofFiles,
  'wb-proposal-page': ProposalPage,
  'wb-record-list': RecordList,
  'wb-reports-page': ReportsPage,
  'wb-rule-backtests': RuleBacktests,
  'wb-rule-simulation': RuleSimulation,
  'wb-rule-versions': RuleVersions,
  'wb-rules-page': RulesPage,
  'wb-settings-page': SettingsPage,
  'wb-sign-in': SignInForm,
  'wb-statistics-page': StatisticsPage,
  'wb-transaction-page': TransactionPage,
  'wb-verification-page': VerificationPage,
  'wb-wallets-page': WalletsPage,
  'wb-work-page': WorkPage,
  'wb-work-preview': WorkPreview,
  // The last one: it shows the others.
  'wb-console-app': ConsoleApp,
};

for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);
document.body.append(document.createElement('wb-console-app'));
