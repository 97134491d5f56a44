import { type Static, Type } from 'typebox';
import type { ContentItem } from '../../domain/products.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { compileParser, Label, Nullish } from '../kit/schema.ts';

/*
 * The contents of sealed products: `sealedProduct` of a set in SetList and AllPrintings
 * (https://mtgjson.com/data-models/sealed-product/). Only the fields in use are validated.
 */

/** More items than any product has; some have one of several hundred cards. */
const MOST = 2000;

const Listed = <Schema extends Type.TSchema>(schema: Schema) => {
  return Nullish(Type.Array(schema, { maxItems: MOST }));
};

const Contents = {
  sealed: Listed(
    Type.Object({
      count: Type.Integer({ minimum: 1, maximum: 10_000 }),
      name: Label,
      set: Nullish(Label),
      uuid: Nullish(Label),
    }),
  ),
  pack: Listed(Type.Object({ code: Label, set: Label })),
  deck: Listed(Type.Object({ name: Label, set: Nullish(Label) })),
  card: Listed(
    Type.Object({
      name: Label,
      number: Nullish(Type.Union([Label, Type.Number()])),
      set: Nullish(Label),
      foil: Nullish(Type.Boolean()),
      uuid: Nullish(Label),
    }),
  ),
  other: Listed(Type.Object({ name: Label })),
};

const RawContents = Type.Object(Contents);

const RawProduct = Type.Object({
  uuid: Label,
  name: Label,
  identifiers: Type.Object({ tcgplayerProductId: Nullish(Label) }),
  contents: Nullish(
    Type.Object({
      ...Contents,
      /** Each is a choice: a copy of the product has one of the `configs`. */
      variable: Listed(Type.Object({ configs: Type.Array(RawContents, { maxItems: MOST }) })),
    }),
  ),
});

export type RawProduct = Static<typeof RawProduct>;
type RawContents = Static<typeof RawContents>;

/** @throws BadRecord for anything but a sealed product of MTGJSON. */
export const parseProduct = compileParser(RawProduct);

/** Returns TCGplayer's id for a product or card with one of MTGJSON's ids. */
export type TcgplayerIdOf = (uuid: string) => string | undefined;

/** Adapts the contents of a product. */
export function adaptProduct(product: RawProduct, tcgplayerIdOf: TcgplayerIdOf): AdaptedRecord {
  const { identifiers, contents } = product;
  const tcgplayer = identifiers.tcgplayerProductId;
  if (!contents) return { items: [], skipped: ['product of unknown contents'] };
  if (!tcgplayer) return { items: [], skipped: ['product without an id of TCGplayer'] };
  const choices = (contents.variable ?? [])
    .map(({ configs }) => configs.map((option) => itemsOf(option, tcgplayerIdOf)))
    .filter((options) => options.length > 0);
  const all = { items: itemsOf(contents, tcgplayerIdOf), choices };
  return { items: [], contained: [{ externalIds: { tcgplayer }, contents: all }] };
}

function itemsOf(raw: RawContents, tcgplayerIdOf: TcgplayerIdOf): ContentItem[] {
  return joined([
    ...(raw.sealed ?? []).map(({ count, name, set, uuid }) => {
      return { kind: 'product', count, name, ...inSet(set), ...idOf(uuid, tcgplayerIdOf) } as const;
    }),
    ...(raw.pack ?? []).map(({ code, set }) => {
      return { kind: 'pack', count: 1, name: code, ...inSet(set) } as const;
    }),
    ...(raw.deck ?? []).map(({ name, set }) => {
      return { kind: 'deck', count: 1, name, ...inSet(set) } as const;
    }),
    ...(raw.card ?? []).map(({ name, number, set, foil, uuid }) => ({
      ...({ kind: 'card', count: 1, name, ...inSet(set) } as const),
      ...(number && { number: String(number) }),
      ...(foil && { isFoil: true as const }),
      ...idOf(uuid, tcgplayerIdOf),
    })),
    ...(raw.other ?? []).map(({ name }) => ({ kind: 'other', count: 1, name }) as const),
  ]);
}

function inSet(code: string | null | undefined) {
  return code ? { setCode: code.toUpperCase() } : {};
}

function idOf(uuid: string | null | undefined, tcgplayerIdOf: TcgplayerIdOf) {
  const tcgplayerId = uuid ? tcgplayerIdOf(uuid) : undefined;
  return tcgplayerId === undefined ? {} : { tcgplayerId };
}

/** Counts items that are listed several times. */
function joined(items: readonly ContentItem[]): ContentItem[] {
  const byKey = Map.groupBy(items, ({ count: _, ...item }) => JSON.stringify(item));
  return [...byKey.values()].flatMap((same) => {
    const count = same.reduce((sum, item) => sum + item.count, 0);
    return same.slice(0, 1).map((item) => ({ ...item, count }));
  });
}
