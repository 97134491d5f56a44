import { readFileSync, statSync } from 'node:fs';
import { type Html, html } from '../http/reference/html.ts';
import { BRAND_STYLE, type Brand, LOGO } from './brand.ts';
import { ANSWERS_ID, type Answers, type PageHead } from './rendering.ts';

/** What a page consists of, besides the scripts and styles that all pages have. */
export interface PageParts {
  readonly head: PageHead;
  /** The address without its query, with the origin; null where the service does not know it. */
  readonly canonical: URL | null;
  readonly html: string;
  readonly answers: Answers;
}

/** The part of the built page that names it, and the place of its content. */
const HEAD = /<!--head-->(.*?)<!--\/head-->/s;
const PAGE = '<!--page-->';
const ICON = /<link rel="(icon|apple-touch-icon)"[^>]*>/g;

/** The page that the build makes, in which the server writes what differs between pages. */
export class PageTemplate {
  readonly #file: URL;
  readonly #brand: Brand;
  #read: { readonly modified: number; readonly text: string } | undefined;

  constructor(file: URL, brand: Brand) {
    this.#file = file;
    this.#brand = brand;
  }

  /** Whether the pages are built; they may be while the service runs. */
  get isBuilt(): boolean {
    return statSync(this.#file, { throwIfNoEntry: false }) !== undefined;
  }

  /** The page that browsers render. */
  plain(): string {
    return this.#text()
      .replace(HEAD, (_all, head: string) => head.replace(/<title>.*?<\/title>/, this.#title()))
      .replace(PAGE, '');
  }

  /** A page that is rendered, and the answers from which a browser takes it over. */
  rendered({ head, canonical, html: content, answers }: PageParts): string {
    const data = `<script type="application/json" id="${ANSWERS_ID}">${scriptText(answers)}</script>`;
    // Functions, because a text may have `$&` in it.
    return this.#text()
      .replace(HEAD, () => headOf(head, canonical, this.#brand).text)
      .replace(PAGE, () => content)
      .replace('</body>', () => `${data}</body>`);
  }

  #withLogo(text: string): string {
    if (!this.#brand.logo) return text;
    return text.replaceAll(ICON, (_all, rel) => `<link rel="${rel}" href="${LOGO}" />`);
  }

  #title(): string {
    const { name, color } = this.#brand;
    return html`<title>${name}</title>${styleOf(color !== null)}`.text;
  }

  #text(): string {
    const { mtimeMs: modified } = statSync(this.#file);
    if (this.#read?.modified !== modified) {
      this.#read = { modified, text: this.#withLogo(readFileSync(this.#file, 'utf8')) };
    }
    return this.#read.text;
  }
}

function headOf(head: PageHead, canonical: URL | null, { name, tagline, color }: Brand): Html {
  const { title, description, image } = head;
  return html`<title>${title}</title>
    <meta name="description" content="${description || tagline}" />
    <meta property="og:site_name" content="${name}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description || tagline}" />
    ${canonical ? addressOf(canonical, image) : []}${styleOf(color !== null)}`;
}

/** What only a service that knows its address can say: others resolve no paths. */
function addressOf({ href, origin }: URL, image: string | null): Html {
  const picture = html`<meta property="og:image" content="${origin}${image ?? ''}" />`;
  return html`<link rel="canonical" href="${href}" />
    <meta property="og:url" content="${href}" />
    ${image === null ? [] : picture}`;
}

function styleOf(hasColor: boolean): Html | readonly [] {
  return hasColor ? html`<link rel="stylesheet" href="${BRAND_STYLE}" />` : [];
}

/** JSON that ends no script element, and that is JavaScript in every version. */
function scriptText(answers: Answers): string {
  return JSON.stringify(answers).replace(/[<\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
