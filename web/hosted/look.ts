import type { HostedVerification } from './hosted-verification.ts';

/** Sets the tenant's colour, and black or white for the texts on it, whichever reads better. */
export function showLook({ color }: HostedVerification['branding']): void {
  if (color === null) return;
  const { style } = document.documentElement;
  style.setProperty('--brand', color);
  style.setProperty('--on-brand', textColorOn(color));
}

/** One of the two always has a contrast of at least 4.5 to 1 (WCAG 2.2, relative luminance). */
function textColorOn(color: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) =>
    linear(parseInt(color.slice(start, start + 2), 16)),
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) ? '#000' : '#fff';
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Shows a picture in the tab of the browser. */
export function showIcon(source: string | null): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link && source !== null) link.href = source;
}
