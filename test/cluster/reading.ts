import { CENTS, cardsIn, centsOf, FIRST_CARDS } from './catalogue.ts';
import { lackOf } from './whole.ts';

/** What a body says of the publication that it shows. */
export interface Reading {
  /** Null for a body without a publication, or with several. */
  readonly publication: number | null;
  /** The cents past the dollar of its prices; null without prices. */
  readonly cents: number | null;
  /** Why it is not one publication, whole; null when it is. */
  readonly flaw: string | null;
  /** The cards in it: what each one is in every publication, and its id. */
  readonly cards: readonly (readonly [card: string, id: string])[];
}

/** The amounts that a publication sets, without earlier days. */
const AMOUNTS = new Set(['market', 'low', 'mid', 'high', 'to']);

/** What a name of a publication ends in. */
const MARK = / K(\d+)$/;

type Members = Readonly<Record<string, unknown>>;

/** Gathers what the parts of a body say. */
class Claims {
  readonly publications = new Set<number>();
  readonly cents = new Set<number>();
  readonly cards: [string, string][] = [];
  readonly wrongValues: string[] = [];
  /** The first name without the mark of its publication. */
  firstStem: string | undefined;
  amounts = 0;
  counts = 0;
  days = 0;
  names = 0;

  visit(value: unknown, name = ''): void {
    // The confidence in a price has the lowest and the highest amount of a week.
    if (name === 'interval') return;
    if (Array.isArray(value)) this.#list(value, name);
    else if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'number') this.#number(value, name);
    else if (typeof value === 'object' && value !== null) this.#object(value as Members);
  }

  /** All days of a history except the last belong to earlier publications. */
  #list(values: readonly unknown[], name: string): void {
    if (name === 'history') this.days = values.length;
    for (const value of name === 'history' ? values.slice(-1) : values) this.visit(value);
  }

  #text(text: string): void {
    const number = MARK.exec(text)?.[1];
    if (number === undefined) return;
    this.names += 1;
    this.firstStem ??= text.replace(MARK, '');
    this.publications.add(Number(number));
  }

  #number(value: number, name: string): void {
    if (name === 'cardCount') {
      this.counts += 1;
      this.publications.add(value - FIRST_CARDS);
    }
    if (AMOUNTS.has(name)) {
      this.amounts += 1;
      this.cents.add(Math.round(value * 100) % CENTS);
    }
  }

  #object(members: Members): void {
    const { id, name, game, value, cardCount } = members;
    if (typeof id === 'string' && typeof name === 'string' && typeof game === 'string') {
      this.cards.push([`${game} ${name.replace(MARK, '')}`, id]);
    }
    // An explanation names its numbers.
    if (typeof value === 'number' && typeof name === 'string') this.#number(value, name);
    if (typeof value === 'number' && typeof cardCount === 'number') this.#sum(value, cardCount);
    for (const [key, member] of Object.entries(members)) this.visit(member, key);
  }

  /** The value of a set is the sum of its prices. */
  #sum(value: number, cards: number): void {
    const cents = (cards * centsOf(cards - FIRST_CARDS)) % 100;
    if (Math.round(value * 100) % 100 !== cents) this.wrongValues.push(`${value}`);
  }
}

/** Reads a body of `/v1`, the parsed JSON of an answer with status 200. */
export function readBody(endpoint: string, body: unknown): Reading {
  const claims = new Claims();
  claims.visit((body as Members).data);
  const { total } = body as Members;
  if (endpoint === 'set-cards') claims.publications.add(Number(total) - FIRST_CARDS);
  const { cards } = claims;
  const flaw = mixtureOf(claims) ?? lackIn(endpoint, claims);
  if (flaw !== null) return { publication: null, cents: null, flaw, cards };
  const [publication = null] = claims.publications;
  const [cents = null] = claims.cents;
  return { publication, cents, flaw, cards };
}

function lackIn(endpoint: string, claims: Claims): string | null {
  const { amounts, counts, days, names, firstStem: stem = '' } = claims;
  const cards = claims.cards.length;
  const [publication] = claims.publications;
  return lackOf(endpoint, { publication, stem, cards }, { cards, amounts, counts, days, names });
}

function mixtureOf({ publications, cents, wrongValues }: Claims): string | null {
  const [publication] = publications;
  if (publications.size > 1) return `it is of the publications ${[...publications].join(', ')}`;
  if (cents.size > 1) return `its prices end in ${[...cents].join(', ')} cents`;
  const [amount] = cents;
  if (publication === undefined) return null;
  if (amount !== undefined && amount !== centsOf(publication)) {
    return `it is of publication ${publication}, and its prices end in ${amount} cents`;
  }
  if (wrongValues.length === 0) return null;
  return `${wrongValues[0]} is not the value of ${cardsIn(publication)} cards of publication ${publication}`;
}
