import { readFileSync } from 'node:fs';
import { Marked, type Token, type Tokens } from 'marked';
import { packageFile } from '../../lib/package-file.ts';
import { Html, html } from './html.ts';
import { type Presentation, pageOf } from './layout.ts';

/** The pages of `docs/` for callers, by their names below `/docs/`. */
const GUIDES = {
  guide: { file: 'calling.md', title: 'Call the API' },
  errors: { file: 'errors.md', title: 'Errors' },
  search: { file: 'search.md', title: 'Search' },
  resolver: { file: 'resolver.md', title: 'Resolver' },
  pricing: { file: 'pricing.md', title: 'Prices' },
  movers: { file: 'movers.md', title: 'Movers' },
  compatibility: { file: 'compatibility.md', title: 'Compatibility' },
} as const;

export type GuideName = keyof typeof GUIDES;

export const GUIDE_NAMES = Object.keys(GUIDES) as GuideName[];

/** The address in the examples of the pages. */
const EXAMPLE_ORIGIN = 'http://127.0.0.1:8080';

/** Returns a guide as Markdown. Its examples call `origin`. */
export function guideText(name: GuideName, origin: string): string {
  const text = readFileSync(packageFile(`docs/${GUIDES[name].file}`), 'utf8');
  return text.replaceAll(EXAMPLE_ORIGIN, origin);
}

/** Returns a guide as a page. Its links lead to other guides; other links are removed. */
export function guidePage(name: GuideName, origin: string, presentation: Presentation): string {
  const tokens = markdown.lexer(guideText(name, origin));
  const links = GUIDE_NAMES.map((other) => {
    if (other !== name) return html`<li><a href="/docs/${other}">${GUIDES[other].title}</a></li>`;
    return html`<li><a href="/docs/${other}" aria-current="page">${GUIDES[other].title}</a>
<ul>${sectionsOf(tokens)}</ul></li>`;
  });
  return pageOf(presentation, {
    title: `${GUIDES[name].title} · Cardprice API`,
    current: 'guide',
    side: html`<nav class="guides" aria-label="Guides"><ul>${links}</ul></nav>`,
    main: new Html(markdown.parser(tokens)),
  });
}

/** Returns links to the sections of a page. */
function sectionsOf(tokens: readonly Token[]): Html[] {
  return tokens.flatMap((token) => {
    if (token.type !== 'heading' || token.depth !== 2) return [];
    const { text } = token as Tokens.Heading;
    return html`<li><a href="#${anchorOf(text)}">${text.replaceAll('`', '')}</a></li>`;
  });
}

/** Returns the list of pages for language models (https://llmstxt.org). */
export function llmsText(origin: string): string {
  const links = GUIDE_NAMES.map((name) => {
    return `- [${GUIDES[name].title}](${origin}/docs/${name}.md)`;
  });
  return `# Cardprice

> Prices of trading cards over HTTP, as JSON: search, cards, history, movers, and a resolver of lists.

Every call below \`/v1\` needs an API key in the header \`X-API-Key\` or \`Authorization: Bearer KEY\`.

## Docs

${links.join('\n')}
- [OpenAPI 3.1](${origin}/openapi.json)
`;
}

const markdown = new Marked({
  renderer: {
    code: ({ text, lang = '' }: Tokens.Code) => {
      const label = `Example: ${lang}`;
      return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`
        .text;
    },
    heading({ tokens, depth, text }: Tokens.Heading) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens);
      const target = targetOf(href);
      return target === undefined ? text : html`<a href="${target}">${new Html(text)}</a>`.text;
    },
  },
});

/** Returns the anchor of a heading, in GitHub's form. */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return words.trim().replaceAll(' ', '-');
}

/** Returns the destination of a link in a guide; undefined for pages that are not served. */
function targetOf(href: string): string | undefined {
  if (/^(?:https:|\/|#)/.test(href)) return href;
  const [file, anchor] = href.split('#');
  const name = GUIDE_NAMES.find((guide) => GUIDES[guide].file === file);
  if (name === undefined) return undefined;
  return anchor === undefined ? `/docs/${name}` : `/docs/${name}#${anchor}`;
}
