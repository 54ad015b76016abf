import { html, nothing } from 'lit';

/** The list of workflows in the Temporal UI. Only a system that runs on the person's own machine names it. */
const WORKFLOWS = document.querySelector<HTMLMetaElement>('meta[name=temporal-workflows]')?.content ?? '';

export function temporalLink(workflowId: string): unknown {
  if (WORKFLOWS === '') return nothing;
  const url = `${WORKFLOWS}/${encodeURIComponent(workflowId)}`;
  return html`<a href=${url} target="_blank" rel="noreferrer">Workflow in Temporal</a>`;
}
