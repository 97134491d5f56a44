import { type Html, html } from './html.ts';
import { STYLE_PATH } from './style.ts';

/** The path of the reference's script, which the build of the pages creates. */
export const SCRIPT_PATH = '/docs/reference.js';

/** The operator's branding of the service. */
export interface Presentation {
  readonly name: string;
  /** Whether `/brand.css` sets a color. */
  readonly hasColor: boolean;
  /** Whether `/logo` serves its picture. */
  readonly hasLogo: boolean;
}

/** The paths of an operator's color and logo. */
export const BRAND_STYLE = '/brand.css';
export const LOGO = '/logo';

/** The parts that differ between the pages below `/docs`. */
export interface PageParts {
  readonly title: string;
  /** The link in the header that leads to this page. */
  readonly current: 'guide' | 'reference';
  /** Whether the page has controls that need the script. */
  readonly hasScript?: boolean;
  /** The content of the sidebar: links and a search. */
  readonly side: Html;
  readonly main: Html | readonly Html[];
}

/** Returns a page below `/docs`. It needs no internet, and is complete without scripts. */
export function pageOf(
  { name, hasColor, hasLogo }: Presentation,
  { title, current, hasScript = false, side, main }: PageParts,
): string {
  const icon = hasLogo ? LOGO : '/icon.svg';
  const color = hasColor
    ? html`<link rel="stylesheet" href="${BRAND_STYLE}">
`
    : html``;
  // Painted only after the script has run, because it may show samples in another language.
  const script = hasScript
    ? html`<script type="module" blocking="render" src="${SCRIPT_PATH}"></script>
`
    : html``;
  const isCurrent = (link: PageParts['current']) => {
    return link === current ? html` aria-current="page"` : html``;
  };
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
${color}<link rel="icon" href="${icon}">
${script}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><a class="brand" href="/"><img src="${icon}" alt="" width="28" height="28">${name}</a>
<nav aria-label="Documentation"><a href="/docs/guide"${isCurrent('guide')}>Guide</a>
<a href="/docs"${isCurrent('reference')}>Reference</a></nav></header>
<div class="side">
${side}
</div>
<main id="content" tabindex="-1">
${main}
</main>
</body>
</html>
`;
  return page.text;
}
