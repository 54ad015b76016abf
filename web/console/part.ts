import { LitElement } from 'lit';

/**
 * A part of a page. It renders into the document itself, without a shadow root: one style sheet serves all parts, and labels
 * and descriptions can name elements of other parts.
 */
export abstract class PagePart extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
