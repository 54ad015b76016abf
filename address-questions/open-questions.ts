import type { Settings } from '../process/settings.ts';
import { createOutgoingHttp } from '../outside/outgoing-http.ts';
import { askAboutChain, askReceiver, type RequestQuestionDeps } from './ask-holders.ts';

/** The questions that requests ask, before what they store says whose an address is. */
export interface AddressQuestions {
  /** Asks the receiver of a message about its destination. */
  askReceiver: (...about: WithoutDeps<typeof askReceiver>) => Promise<void>;
  /** Asks the receiver of a delivered message about its destination on another blockchain. */
  askAboutChain: (...about: WithoutDeps<typeof askAboutChain>) => Promise<void>;
  /** Ends every connection. */
  close: () => Promise<void>;
}

type WithoutDeps<Ask> = Ask extends (deps: RequestQuestionDeps, ...about: infer About) => Promise<void>
  ? About
  : never;

/** Opens the HTTP client that asks, under the same rules as for webhooks. */
export function openQuestions(
  settings: Pick<Settings, 'ENVIRONMENT' | 'WEBHOOK_ALLOWED_HOSTS'>,
  parts: Omit<RequestQuestionDeps, 'http'>,
): AddressQuestions {
  const http = createOutgoingHttp({
    environment: settings.ENVIRONMENT,
    allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS,
  });
  const deps = { ...parts, http };
  return {
    askReceiver: async (...about) => await askReceiver(deps, ...about),
    askAboutChain: async (...about) => await askAboutChain(deps, ...about),
    close: async () => await http.close(),
  };
}
