/** A link in a query, with its meaning. */
export interface Link {
  readonly from: number;
  readonly to: number;
  /** Its possible ids, most certain first: `tcgplayer:96802320`, or the id of a card. */
  readonly ids: readonly string[];
  /** The words of its path; empty if there are none. */
  readonly words: string;
  /** The site, by its usual name. */
  readonly site: string;
}

type Reader = (url: URL) => Pick<Link, 'ids' | 'words'>;

interface Site {
  readonly name: string;
  readonly host: RegExp;
  readonly read: Reader;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const SITES: readonly Site[] = [
  { name: 'TCGplayer', host: /(?:^|\.)tcgplayer\.com$/, read: readTcgplayer },
  { name: 'Cardmarket', host: /(?:^|\.)cardmarket\.com$/, read: readCardmarket },
  { name: 'Scryfall', host: /(?:^|\.)scryfall\.(?:com|io)$/, read: readScryfall },
  { name: 'PriceCharting', host: /(?:^|\.)pricecharting\.com$/, read: readPricecharting },
  { name: 'CardTrader', host: /(?:^|\.)cardtrader\.com$/, read: readLastSegment },
  { name: 'eBay', host: /(?:^|\.)ebay\.[a-z.]+$/, read: readEbay },
  { name: 'Pokémon TCG API', host: /(?:^|\.)pokemontcg\.io$/, read: readPokemontcg },
];

const LINK =
  /(?:https?:\/\/|www\.)[^\s"<>]+|(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:com|io|net|org|de|fr|it|es|co\.uk)\/[^\s"<>]+|(?<!\S)\/(?:v1\/)?(?:cards|sets)\/[^\s"<>]+/i;

/** Finds the first link in a text. Links are parsed, never followed. */
export function findLink(text: string): Link | undefined {
  const found = text.includes('/') || text.includes('www.') ? LINK.exec(text) : null;
  const url = found && parseUrl(found[0]);
  if (!found || !url) return undefined;
  const site = SITES.find(({ host }) => host.test(url.hostname));
  const { ids, words } = (site?.read ?? readOther)(url);
  const span = { from: found.index, to: found.index + found[0].length };
  return { ...span, ids, words, site: site?.name ?? url.hostname };
}

function parseUrl(text: string): URL | null {
  if (text.startsWith('/')) return URL.parse(text, 'https://localhost');
  return URL.parse(/^https?:/i.test(text) ? text : `https://${text}`);
}

/** `/product/96802320/pokemon-base-set-charizard`, or a picture `85637_200w.jpg`. */
function readTcgplayer(url: URL) {
  const [, id, slug = ''] = /\/product\/(\d+)(?:\/([^/]*))?/.exec(url.pathname) ?? [];
  if (id !== undefined) return { ids: [`tcgplayer:${id}`], words: wordsOf(slug) };
  const picture = /\/(\d+)(?:_\w+|[-\w]*)?\.(?:jpe?g|png|webp)$/.exec(url.pathname)?.[1];
  return picture === undefined ? readOther(url) : { ids: [`tcgplayer:${picture}`], words: '' };
}

/** `/en/Pokemon/Products/Singles/Base-Set/Charizard-BS4`, or `?idProduct=273699`. */
function readCardmarket(url: URL) {
  const id = url.searchParams.get('idProduct');
  const [game = '', set = '', name = ''] =
    /\/([^/]+)\/(?:Products\/)?Singles\/([^/]+)\/([^/]+)/.exec(url.pathname)?.slice(1) ?? [];
  const named = `${wordsOf(name)} ${wordsOf(set)} ${wordsOf(game)}`.trim();
  const words = named === '' && id === null ? readOther(url).words : named;
  return { ids: id === null ? [] : [`cardmarket:${id}`], words };
}

/** `/card/lea/161/lightning-bolt`, or an address or picture with the id of a card. */
function readScryfall(url: URL) {
  const id = UUID.exec(url.pathname)?.[0];
  if (id !== undefined) return { ids: [`scryfall:${id}`], words: '' };
  const [, set, number, name] = /\/card\/([^/]+)\/([^/]+)\/([^/]+)/.exec(url.pathname) ?? [];
  if (name === undefined) return readOther(url);
  return { ids: [], words: `${wordsOf(name)} ${set} ${number}` };
}

/** `/game/pokemon-base-set/charizard-4`, or `/game/1234`. */
function readPricecharting(url: URL) {
  const [, set = '', name] = /\/game\/([^/]+)(?:\/([^/]+))?/.exec(url.pathname) ?? [];
  const id = /^\d+$/.test(set) ? set : url.searchParams.get('product');
  if (id !== null) return { ids: [`pricecharting:${id}`], words: '' };
  if (name === undefined) return readOther(url);
  return { ids: [], words: `${wordsOf(name)} ${wordsOf(set)}` };
}

/** `/itm/charizard-base-set-4-102/1234`. The number of a listing is not in the catalogue. */
function readEbay(url: URL) {
  const slug = /\/itm\/([^/]*\D[^/]*)\//.exec(url.pathname)?.[1];
  const q = url.searchParams.get('_nkw') ?? '';
  return { ids: [], words: slug === undefined ? wordsOf(q) : wordsOf(slug) };
}

/** `/v2/cards/base1-4`, or a picture `/base1/4_hires.png`. */
function readPokemontcg(url: URL) {
  const id = /\/cards\/([\w-]+)$/.exec(url.pathname)?.[1];
  const [, set, number] = /\/([\w-]+)\/(\w+?)(?:_hires)?\.png$/.exec(url.pathname) ?? [];
  const known = id ?? (set === undefined ? undefined : `${set}-${number}`);
  return { ids: known === undefined ? [] : [`pokemontcg:${known}`], words: '' };
}

function readLastSegment(url: URL) {
  const segments = url.pathname.split('/').filter((segment) => /\p{L}/u.test(segment));
  return { ids: [], words: wordsOf(segments.at(-1) ?? '').replace(/^\d+ /, '') };
}

/** A page of this service, a search anywhere, or any page with words in its path. */
function readOther(url: URL) {
  const own = /\/(?:cards|sets)\/([a-z0-9][\w-]*)\/?$/.exec(url.pathname)?.[1];
  const q = ['q', 'query', 'k', 'search'].map((name) => url.searchParams.get(name) ?? '').join(' ');
  const words = q.trim() === '' ? readLastSegment(url).words : wordsOf(q);
  return { ids: own === undefined ? [] : [own], words };
}

/** Returns the words of a part of a link: `mew 8/108` of `mew-8-108`, `Mew%20ex` as `Mew ex`. */
function wordsOf(slug: string): string {
  return decoded(slug)
    .replace(/\.(?:html?|php|aspx?)$/, '')
    .replace(/[-_+.,;:/\s]+/g, ' ')
    .replace(/(?<=^| )(\d{1,3}) (\d{2,3})(?= |$)/, '$1/$2')
    .trim();
}

/** Decodes escapes such as `%20`; returns other texts unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const FILE = /\.(?:jpe?g|png|webp|gif|heic|pdf|html?)$/i;

/**
 * Returns the words of a file's name: `Mew%20ex_151.jpg` is `Mew ex 151`. Undefined for other
 * texts.
 */
export function readFileName(text: string): string | undefined {
  const isEncoded = /%[0-9a-f]{2}/i.test(text) && !/%(?![0-9a-f]{2})/i.test(text);
  if (!isEncoded && !FILE.test(text)) return undefined;
  const plain = (isEncoded ? decoded(text) : text).trim().replace(FILE, '');
  return plain.replace(/[_+]+/g, ' ');
}
