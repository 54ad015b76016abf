import type { Settings } from '../process/settings.ts';
import type { Database } from '../db/database.ts';
import type { ProviderCode } from '../domain/aml/service-key.ts';
import { amlbot } from './amlbot.ts';
import { createBreakers, type Breakers } from './breakers.ts';
import { builtinProvider } from './builtin.ts';
import { crystal } from './crystal.ts';
import { httpProvider, type RetryPolicy, type AmlVendor } from './http-provider.ts';
import type { AmlProvider } from './provider.ts';
import { scorechain } from './scorechain.ts';
import { createVendorHttp, type VendorHttpOptions } from './vendor-http.ts';

/** A problem with a provider for the log, without personal data. */
interface AmlTrouble {
  tenantId: string;
  provider: ProviderCode;
  /** Why a request failed. */
  fault?: string;
  status?: number | null;
  /** Terms of the provider that are not mapped to an entity type. */
  unmappedTerms?: readonly string[];
}

/** Dependencies of AML checks; api and worker each have one. */
export interface Aml {
  db: Database;
  providers: Readonly<Record<ProviderCode, AmlProvider>>;
  breakers: Breakers;
  now: () => Date;
  onTrouble: (trouble: AmlTrouble) => void;
  /** How long a caller waits for a check that another caller has requested, in milliseconds. */
  waitMs: number;
}

export interface AmlOptions {
  db: Database;
  settings: Pick<Settings, 'ENVIRONMENT' | 'AMLBOT_URL' | 'CRYSTAL_URL' | 'SCORECHAIN_URL'>;
  onTrouble: (trouble: AmlTrouble) => void;
  now?: () => Date;
  http?: Partial<VendorHttpOptions>;
  retryPolicy?: RetryPolicy;
  waitMs?: number;
}

const WAIT_MS = 25_000;

export function openAml(options: AmlOptions): Aml {
  const { db, settings, onTrouble, retryPolicy, now = () => new Date() } = options;
  const http = createVendorHttp({ environment: settings.ENVIRONMENT, ...options.http });
  const vendor = (of: AmlVendor, url: string) => httpProvider(of, url, http, retryPolicy);
  return {
    db,
    providers: {
      amlbot: vendor(amlbot, settings.AMLBOT_URL),
      crystal: vendor(crystal, settings.CRYSTAL_URL),
      scorechain: vendor(scorechain, settings.SCORECHAIN_URL),
      builtin: builtinProvider(db),
    },
    breakers: createBreakers(() => now().getTime()),
    now,
    onTrouble,
    waitMs: options.waitMs ?? WAIT_MS,
  };
}
