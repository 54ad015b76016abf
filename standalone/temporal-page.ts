import type { RunningProduct } from './running-product.ts';

/** The list of workflows in the Temporal UI, in the namespace of this system; undefined where no UI is known. */
export function temporalPage({
  temporalUiUrl,
  temporalNamespace,
}: Pick<RunningProduct, 'temporalUiUrl' | 'temporalNamespace'>): string | undefined {
  if (!temporalUiUrl) return undefined;
  return `${temporalUiUrl.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(temporalNamespace)}/workflows`;
}
