import { html, svg, type TemplateResult } from 'lit';
import { encode } from 'uqr';

/** A QR code of a text as a picture with this name. Black on white in the dark as well: not every camera reads the reverse. */
export function qrCode(text: string, name: string): TemplateResult {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg
    class="qr"
    role="img"
    aria-label=${name}
    viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"
  >
    ${svg`<rect width=${size} height=${size} fill="#fff"></rect><path d=${dark.join('')} fill="#000"></path>`}
  </svg>`;
}
