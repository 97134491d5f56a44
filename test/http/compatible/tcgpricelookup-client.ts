import assert from 'node:assert/strict';
import type { LightMyRequestResponse } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Caller } from '../../support/app.ts';

/** The hosted service's own client: its requests, and the types that it declares for answers. */

const Whole = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });
const OrNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Amount = OrNull(Type.Number({ exclusiveMinimum: 0 }));
const Text = Type.String({ minLength: 1 });
const Moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' });
const DayText = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' });

const Slug = Type.Enum([
  'pokemon',
  'pokemon-jp',
  'mtg',
  'yugioh',
  'onepiece',
  'lorcana',
  'swu',
  'fab',
]);
/** No source reports averages of sales. */
const Averages = { avg_1d: Type.Null(), avg_7d: Type.Null(), avg_30d: Type.Null() };
const TcgPlayer = Whole({ market: Amount, low: Amount, mid: Amount, high: Amount });
const Condition = Type.Enum([
  'near_mint',
  'lightly_played',
  'moderately_played',
  'heavily_played',
  'damaged',
]);

function rawOf<Prices extends TSchema>(prices: Prices) {
  const one = Type.Optional(prices);
  return Whole({
    near_mint: prices,
    lightly_played: one,
    moderately_played: one,
    heavily_played: one,
    damaged: one,
  });
}

function cardOf<Raw extends TSchema, More extends Record<string, TSchema>>(raw: Raw, more: More) {
  return Whole({
    id: Type.String({ pattern: '^[\\w.-]+$' }),
    tcgplayer_id: OrNull(Type.Integer()),
    name: Text,
    number: OrNull(Text),
    rarity: OrNull(Text),
    variant: OrNull(Text),
    image_url: OrNull(Text),
    last_price_update: Type.Optional(OrNull(Moment)),
    updated_at: Moment,
    set: Whole({ id: Text, slug: Text, name: Text }),
    game: Whole({ id: Text, slug: Slug, name: Text }),
    prices: Whole({ raw: rawOf(raw), ...more }),
  });
}

/** A card as the free plan gets it, and as Trader and above get it. */
const FreeCard = cardOf(Whole({ tcgplayer: TcgPlayer }), {});
const PaidCard = cardOf(Whole({ tcgplayer: TcgPlayer, ebay: Whole(Averages) }), {
  graded: Whole({}),
});

const History = Whole({
  data: Type.Array(
    Whole({
      date: DayText,
      prices: Type.Array(
        Whole({
          source: Type.Union([Type.Literal('tcgplayer'), Type.Literal('ebay')]),
          condition: OrNull(Condition),
          grader: OrNull(Text),
          grade: OrNull(Text),
          price_market: Amount,
          price_low: Amount,
          price_mid: Amount,
          price_high: Amount,
          ...Averages,
        }),
      ),
    }),
  ),
  period: Type.Enum(['7d', '30d', '90d', '1y']),
});

const SetSummary = Whole({
  id: Text,
  slug: Text,
  name: Text,
  game: Slug,
  count: Type.Integer({ minimum: 0 }),
  released_at: OrNull(DayText),
});
const GameSummary = Whole({
  id: Text,
  slug: Slug,
  name: Text,
  count: Type.Integer({ minimum: 0 }),
});

const PageOf = <Item extends TSchema>(item: Item) =>
  Whole({
    data: Type.Array(item),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  });

/** The query parameters of a call; those that are undefined are not sent. */
type Query = Readonly<Record<string, string | number | undefined>>;

/** A call that the service refused: its client throws this. */
export class Refused extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Calls the service as its client does, and checks each answer against the declared types. */
export class TcgLookup {
  readonly #caller: Caller;
  readonly #card: typeof FreeCard | typeof PaidCard;
  /** From the headers of the last answer. */
  rateLimit = { limit: Number.NaN, remaining: Number.NaN };

  constructor(caller: Caller, plan: 'free' | 'paid') {
    this.#caller = caller;
    this.#card = plan === 'free' ? FreeCard : PaidCard;
  }

  search(query: Query = {}) {
    return this.#get('/cards/search', PageOf(this.#card), query);
  }

  card(id: string) {
    return this.#get(`/cards/${id}`, this.#card);
  }

  history(id: string, period?: string) {
    return this.#get(`/cards/${id}/history`, History, { period });
  }

  sets(query: Query = {}) {
    return this.#get('/sets', PageOf(SetSummary), query);
  }

  games(query: Query = {}) {
    return this.#get('/games', PageOf(GameSummary), query);
  }

  async #get<Schema extends TSchema>(
    path: string,
    schema: Schema,
    query: Query = {},
  ): Promise<Static<Schema>> {
    const sent = Object.entries(query).flatMap(([name, value]) => {
      return value === undefined ? [] : [[name, String(value)]];
    });
    const url = `/compatible/tcgpricelookup/v1${path}?${new URLSearchParams(sent)}`;
    const answer = await this.#caller.get(url, { accept: 'application/json' });
    this.#readRateLimit(answer);
    const body = answer.json();
    if (answer.statusCode !== 200) throw new Refused(body.error, answer.statusCode);
    const [problem] = Value.Errors(schema, body);
    assert.equal(problem, undefined, `${url} ${problem?.instancePath} ${problem?.message}`);
    return body;
  }

  #readRateLimit({ headers }: LightMyRequestResponse): void {
    const limit = Number(headers['x-ratelimit-limit']);
    const remaining = Number(headers['x-ratelimit-remaining']);
    assert.ok(limit >= remaining && remaining >= 0, 'both headers have numbers');
    this.rateLimit = { limit, remaining };
  }
}
