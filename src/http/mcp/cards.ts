import { type Static, Type } from 'typebox';
import type { Currency } from '../../domain/currencies.ts';
import { formatGrade } from '../../domain/grade-names.ts';
import { isGrade } from '../../domain/grades.ts';
import { SEARCH_SORTS, type SearchSort } from '../../search/index.ts';
import type { ResolvedItem } from '../resolve-schemas.ts';
import type { CardDetail, CardSummary } from '../schemas.ts';
import { amount, currencyIn, dayIn, fitted, lines, percent, provenance } from './answer.ts';
import type { Api } from './api.ts';
import {
  Arguments,
  AsOf,
  CardIdArgument,
  Choice,
  CurrencyArgument,
  CurrencyText,
  defineTool,
  GameArgument,
  LimitArgument,
  Nullable,
  OffsetArgument,
  ShortText,
  Sources,
  Url,
} from './tool.ts';

/** The tools that find and describe cards. */

const CardFields = {
  id: Type.String({ description: 'Card id, for the other tools.' }),
  name: Type.String(),
  game: Type.String(),
  set: Type.String(),
  number: Nullable.text('Collector number.'),
  rarity: Nullable.text('Rarity.'),
  printing: Nullable.text('The printing of the price.'),
  price: Nullable.number('Market price; null if no source has one.'),
  currency: CurrencyText,
  confidence: Nullable.text(
    'How sure the price is: confirmed, single-source, thin, disputed, stale.',
  ),
};

const FoundCard = Type.Object({
  ...CardFields,
  asOf: AsOf,
  sources: Sources,
  copy: Type.Optional(
    Type.Object(
      { name: Type.String(), price: Nullable.number('Its price.') },
      { description: 'The grade, condition or printing that the query names.' },
    ),
  ),
  url: Url,
});

type Detail = Static<typeof CardDetail>;
type Summary = Static<typeof CardSummary>;

/** Returns the address of the page of a card. */
export function cardUrl({ site }: Api, id: string): string {
  return `${site}/cards/${encodeURIComponent(id)}`;
}

/** Returns the address of the page of a card or product in a list. */
function pageUrl(api: Api, { id, kind }: { readonly id: string; readonly kind?: 'product' }) {
  return kind ? `${api.site}/products/${encodeURIComponent(id)}` : cardUrl(api, id);
}

/** Returns the data of a card in a list, as tools give it. */
export function listedCard(api: Api, card: Summary): Static<typeof FoundCard> {
  const { id, name, game, set, number, rarity, printing, prices, copy } = card;
  const shown = card.printings?.find((one) => one.name === printing);
  return {
    id,
    name,
    game,
    set,
    number,
    rarity,
    printing,
    price: prices.market,
    currency: currencyIn(prices.currency),
    confidence: prices.confidence?.level ?? null,
    asOf: dayIn(shown?.updatedAt),
    sources: shown?.sources ?? [],
    ...(copy && { copy: { name: copy.name, price: copy.price } }),
    url: pageUrl(api, card),
  };
}

/** `Charizard (Base Set 004/102, Holofoil)`. */
function titleOf(card: Pick<Summary, 'name' | 'set' | 'number' | 'printing'>): string {
  const { name, set, number, printing } = card;
  return `${name} (${[[set, number].filter(Boolean).join(' '), printing].filter(Boolean).join(', ')})`;
}

function lineOf(card: Static<typeof FoundCard>): string {
  const { price, currency, confidence, asOf, sources, copy, url } = card;
  const shown = copy ? `${copy.name} ${amount(copy.price, currency)}, market ` : '';
  const how = confidence === null ? '' : `, ${confidence}`;
  const from = price === null ? '' : provenance(asOf, sources);
  return `${titleOf(card)}: ${shown}${amount(price, currency)}${how}${from}. ${url}`;
}

interface Found {
  readonly data: readonly Summary[];
  readonly total: number;
  readonly suggestion?: string;
  readonly hint?: { readonly total: number };
}

export const search = defineTool({
  name: 'search',
  title: 'Search cards',
  description:
    'Find trading cards by name, number, set, rarity, printing or grade, with their market ' +
    'prices. Use it first, to get the id of a card. Typing mistakes are corrected. It also finds ' +
    'sealed products.',
  input: Arguments({
    query: ShortText(
      'Name, with other words about the card if known: `charizard 4/102`, `lugia psa 10`. It may ' +
        'have operators: `-vmax`, `"base set"`, `set:jungle`, `usd<20`.',
    ),
    kind: Type.Optional(
      Choice('By default `card`; `product` finds boosters, boxes and decks.', ['card', 'product']),
    ),
    game: GameArgument,
    set: Type.Optional(ShortText('Only this set, by setId, code or name.')),
    rarity: Type.Optional(ShortText('Only this rarity.')),
    sort: Type.Optional(Choice<SearchSort>('Order, by default `relevance`.', SEARCH_SORTS)),
    currency: CurrencyArgument,
    limit: LimitArgument(10, 5),
    offset: OffsetArgument,
  }),
  output: Type.Object({
    cards: Type.Array(FoundCard),
    total: Type.Integer({ description: 'How many match.' }),
    offset: Type.Integer({ description: 'Results before these.' }),
  }),
  async run(api, { query, limit = 5, offset = 0, ...filters }) {
    const asked = { q: query, limit, offset, include: 'printings', ...filters };
    const { data, total, suggestion, hint } = await api.get<Found>('/v1/search', asked);
    const cards = data.map((card) => listedCard(api, card));
    return fitted(cards, (shown) => {
      const rest = total - offset - shown.length;
      const next = offset + shown.length;
      const text = lines(
        `${total} ${filters.kind ?? 'card'}${total === 1 ? ' matches' : 's match'} "${query}".`,
        ...shown.map((card, index) => `${offset + index + 1}. ${lineOf(card)}`),
        rest > 0 && `${rest} more: repeat the search with offset ${next}.`,
        hint && `Search with the kind product for sealed products: ${hint.total} match.`,
        suggestion && `Did you mean "${suggestion}"?`,
      );
      return { data: { cards: [...shown], total, offset }, text };
    });
  },
});

const Amounts = Type.Record(Type.String(), Type.Number());

const PrintingPrices = Type.Object({
  name: Type.String({ description: 'Finish or edition.' }),
  market: Nullable.number('Market price.'),
  low: Nullable.number('Lowest current listing.'),
  mid: Nullable.number('Median current listing.'),
  high: Nullable.number('Highest current listing.'),
  conditions: Type.Unsafe<Static<typeof Amounts>>({
    ...Amounts,
    description: 'Prices by condition, as far as sources report them.',
  }),
  graded: Type.Unsafe<Static<typeof Amounts>>({
    ...Amounts,
    description: 'Prices by grade, such as `psa_10`, as far as sources report them.',
  }),
  asOf: AsOf,
  sources: Sources,
});

export const card = defineTool({
  name: 'card',
  title: 'Get a card with all prices',
  description:
    'Get one card with the prices of all printings, conditions and grades, how they changed, how ' +
    'sure they are, and which marketplaces report them.',
  input: Arguments({
    id: CardIdArgument,
    asOf: Type.Optional(
      ShortText('Prices of this day (UTC), `YYYY-MM-DD`, instead of the current ones.'),
    ),
    currency: CurrencyArgument,
  }),
  output: Type.Object({
    ...CardFields,
    change: Type.Object(
      {
        '1d': Nullable.number('Within a day.'),
        '7d': Nullable.number('Within 7 days.'),
        '30d': Nullable.number('Within 30 days.'),
      },
      { description: 'Change of the price in percent; null if unknown.' },
    ),
    asOf: AsOf,
    sources: Sources,
    printings: Type.Array(PrintingPrices),
    printingCount: Type.Integer({ description: 'How many printings there are, listed or not.' }),
    url: Url,
  }),
  async run(api, { id, ...query }) {
    const path = `/v1/cards/${encodeURIComponent(id)}`;
    const { data } = await api.get<{ readonly data: Detail }>(path, query);
    const { '1d': day, '7d': week, '30d': month } = data.prices.changes;
    const change = {
      '1d': day?.percent ?? null,
      '7d': week?.percent ?? null,
      '30d': month?.percent ?? null,
    };
    // The price's printing comes first, so it is never left out.
    const printings = data.printings
      .toSorted((a, b) => Number(b.name === data.printing) - Number(a.name === data.printing))
      .map(printingPrices);
    return fitted(printings, (shown) => {
      const rest = printings.length - shown.length;
      const facts = { ...listedCard(api, data), change };
      const found = { ...facts, asOf: dayIn(data.updatedAt), sources: data.sources };
      const text = lines(
        lineOf(found),
        month !== null && `Within 30 days it changed by ${percent(month.percent)}.`,
        data.prices.disputed && disputeLine(data.prices.disputed),
        ...shown.map((one) => printingLine(one, data.currency)),
        rest > 0 && `${rest} more printings are not shown here.`,
      );
      return {
        data: { ...found, printings: [...shown], printingCount: printings.length },
        text,
      };
    });
  },
});

function printingPrices({ name, prices, updatedAt, sources }: Detail['printings'][number]) {
  const { market, low, mid, high, conditions, graded, allGrades } = prices;
  return {
    name,
    market,
    low,
    mid,
    high,
    conditions: known(conditions),
    graded: allGrades ? flattened(allGrades) : known(graded),
    asOf: dayIn(updatedAt),
    sources,
  };
}

function known(amounts: Readonly<Record<string, number | null>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(amounts).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** `{psa: {"9.5": 8}}` as `{psa_9_5: 8}`. */
function flattened(grades: NonNullable<Detail['prices']['allGrades']>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(grades).flatMap(([grader, levels]) => {
      return Object.entries(levels).map(([level, value]) => {
        return [`${grader}_${level.replace('.', '_')}`, value];
      });
    }),
  );
}

function disputeLine({ reported, since, reason }: NonNullable<Detail['prices']['disputed']>) {
  return `Since ${since}, a source reports ${reported.toFixed(2)} instead. ${reason}`;
}

function printingLine(printing: Static<typeof PrintingPrices>, currency: Currency): string {
  const { name, market, low, conditions, graded } = printing;
  const copies = Object.entries({ ...conditions, ...graded }).map(([copy, value]) => {
    const label = isGrade(copy) ? formatGrade(copy) : copy.replaceAll('_', ' ');
    return `${label} ${amount(value, currency)}`;
  });
  const all = [
    `market ${amount(market, currency)}`,
    low !== null && `low ${amount(low, currency)}`,
  ];
  return `${name}: ${[...all.filter(Boolean), ...copies].join(', ')}.`;
}

const Candidate = Type.Object({
  id: Type.String({ description: 'Card or product id.' }),
  name: Type.String(),
  set: Type.String(),
  number: Nullable.text('Collector number; null for a sealed product.'),
  price: Nullable.number('Price of the copy that the item names, or the market price.'),
  url: Url,
});

const ResolvedLine = Type.Object({
  item: Type.String(),
  status: Choice('Whether one card is meant.', ['matched', 'ambiguous', 'unknown']),
  card: Type.Optional(Candidate),
  printing: Type.Optional(Nullable.text('The printing that is meant.')),
  copy: Type.Optional(Nullable.text('The grade or condition of the price; null for any.')),
  asOf: Type.Optional(AsOf),
  sources: Type.Optional(Sources),
  quantity: Type.Optional(Type.Integer()),
  candidates: Type.Optional(Type.Array(Candidate, { description: 'Only if not matched.' })),
  reasons: Type.Array(Type.String()),
});

type Resolved = Static<typeof ResolvedItem>;

/** The most candidates of an item in an answer. */
const MAX_CANDIDATES = 3;

export const resolve = defineTool({
  name: 'resolve',
  title: 'Identify cards in text',
  description:
    'Identify the cards that lines of text mean, such as lines of a decklist, titles of listings ' +
    'or entries of a collection, each with its price. Says so if a line is ambiguous. Costs two ' +
    'requests.',
  input: Arguments({
    items: Type.Array(ShortText('A line of text: `4x Lightning Bolt (2ED) 162`.'), {
      minItems: 1,
      maxItems: 20,
    }),
    game: GameArgument,
    currency: CurrencyArgument,
  }),
  output: Type.Object({
    results: Type.Array(ResolvedLine, { description: 'In the order of the items.' }),
    total: Type.Integer({ description: 'How many items were sent.' }),
    currency: CurrencyText,
  }),
  async run(api, { items, game, currency }) {
    const body = { items, ...(game && { game }), maxCandidates: MAX_CANDIDATES };
    const { data } = await api.post<{ readonly data: readonly Resolved[] }>('/v1/resolve', body, {
      currency,
    });
    const printings = await printingsOf(api, data);
    const results = data.map((one, index) => {
      const printing = printings.get(one.card?.id)?.find(({ name }) => name === one.printing);
      return { ...resolvedLine(api, items[index] ?? '', one), ...observedIn(printing, one) };
    });
    const shownIn = currencyIn(data.find((one) => one.currency !== undefined)?.currency);
    return fitted(results, (shown) => {
      const rest = results.length - shown.length;
      const text = lines(
        ...shown.map((one) => resultText(one, shownIn)),
        rest > 0 && `${rest} more items were read: send them again, fewer at a time.`,
      );
      return { data: { results: [...shown], total: results.length, currency: shownIn }, text };
    });
  },
});

type Printing = Detail['printings'][number];

/** Returns the printings of the matched cards, by card id. */
async function printingsOf(api: Api, resolved: readonly Resolved[]) {
  const ids = [...new Set(resolved.flatMap(({ card }) => card?.id ?? []))];
  if (ids.length === 0) return new Map<string | undefined, readonly Printing[]>();
  const { data } = await api.post<{
    readonly data: readonly { readonly id: string; readonly printings: readonly Printing[] }[];
  }>('/v1/cards/batch', { ids }, { include: 'printings' });
  return new Map(data.map(({ id, printings }) => [id, printings]));
}

/** The date and source of the price of the copy that an item means. */
function observedIn(printing: Printing | undefined, { grade, condition }: Resolved) {
  if (!printing) return {};
  const { sources, figuresAt, conditionsAt, gradedAt } = printing;
  const observedAt = grade ? gradedAt : condition ? conditionsAt : figuresAt;
  return { asOf: dayIn(observedAt), sources };
}

function resolvedLine(api: Api, item: string, resolved: Resolved): Static<typeof ResolvedLine> {
  const { status, reasons, card, product, market = null, printing, quantity } = resolved;
  const copy = resolved.grade ?? resolved.condition ?? null;
  const said = { item, status, reasons: reasons.slice(0, MAX_CANDIDATES) };
  const priced = {
    ...(printing !== undefined && { printing }),
    copy,
    ...(quantity && { quantity }),
  };
  if (card) return { ...said, card: candidate(api, card, market), ...priced };
  if (product) return { ...said, card: candidate(api, product, market), ...priced };
  const { candidates = [], products = [] } = resolved;
  const all = [...candidates, ...products].slice(0, MAX_CANDIDATES);
  return { ...said, candidates: all.map((one) => candidate(api, one)) };
}

type Candidates = NonNullable<Resolved['candidates']>[number];
type Products = NonNullable<Resolved['products']>[number];

function candidate(
  api: Api,
  one: Partial<Pick<Candidates, 'number' | 'price'>> &
    Pick<Candidates | Products, 'id' | 'name' | 'set' | 'prices'> & { readonly kind?: 'product' },
  price: number | null = one.price ?? one.prices.market,
): Static<typeof Candidate> {
  const { id, name, set, number = null } = one;
  return { id, name, set, number, price, url: pageUrl(api, one) };
}

function resultText(result: Static<typeof ResolvedLine>, currency: Currency): string {
  const { item, status, card, printing = null, copy, candidates = [], reasons } = result;
  if (card) {
    const price = `${copy ? `${copy} ` : ''}${amount(card.price, currency)}`;
    const from = card.price === null ? '' : provenance(result.asOf, result.sources);
    return `"${item}": ${titleOf({ ...card, printing })}, ${price}${from}. ${card.url}`;
  }
  const names = candidates.map((one) => `${titleOf({ ...one, printing: null })} ${one.id}`);
  return `"${item}": ${status}. ${names.length === 0 ? reasons.join(' ') : `It may be ${names.join(', or ')}.`}`;
}
