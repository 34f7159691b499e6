import { html } from 'hono/html';
import { countOf } from '../../errors/wording.ts';

export type Html = ReturnType<typeof html>;

/** Headers that forbid other origins, scripts and inline styles. `formTarget` is allowed too. */
export function pageHeaders(formTarget = ''): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "img-src 'self'",
    "media-src 'self'",
    // A browser shows a PDF in a frame of its own.
    "object-src 'self'",
    "frame-src 'self'",
    "style-src 'self'",
    `form-action 'self' ${formTarget}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

/** `main` must have an `h1`. */
export function pageLayout({ title, main }: { title: string; main: Html }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} – Media Asset Service (emulator)</title>
<link rel="icon" href="/page/icon.svg">
<link rel="stylesheet" href="/page/page.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="banner">
<a class="brand" href="/"><img src="/page/icon.svg" alt="" width="28" height="28">Media Asset Service</a>
<span class="quiet">emulator</span>
</header>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>`;
}

/** Bytes in units of 1000, such as `2.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, 'byte');
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const value = (bytes / 1000 ** power).toLocaleString('en', { maximumSignificantDigits: 3 });
  return `${value} ${['kB', 'MB', 'GB'][power - 1]}`;
}
