import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * The files that TCGCSV (tcgcsv.com) serves: JSON envelopes around TCGplayer's groups (sets),
 * products and prices. Only the fields in use are validated.
 */

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const RawGroup = Type.Object({
  groupId: Type.Integer(),
  name: Type.String({ minLength: 1, maxLength: 500 }),
  abbreviation: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  publishedOn: Type.Optional(Nullable(Type.String())),
});

const RawProduct = Type.Object({
  productId: Type.Integer(),
  name: Type.String({ minLength: 1, maxLength: 1000 }),
  imageUrl: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  imageCount: Type.Optional(Type.Integer()),
  extendedData: Type.Array(Type.Object({ name: Type.String(), value: Nullable(Type.String()) })),
});

const RawPrice = Type.Object({
  productId: Type.Integer(),
  subTypeName: Type.String({ minLength: 1, maxLength: 100 }),
  lowPrice: Nullable(Type.Number()),
  midPrice: Nullable(Type.Number()),
  highPrice: Nullable(Type.Number()),
  marketPrice: Nullable(Type.Number()),
});

export type RawGroup = Static<typeof RawGroup>;
export type RawProduct = Static<typeof RawProduct>;
export type RawPrice = Static<typeof RawPrice>;

const ENVELOPES = {
  groups: Compile(Type.Object({ results: Type.Array(RawGroup) })),
  products: Compile(Type.Object({ results: Type.Array(RawProduct) })),
  prices: Compile(Type.Object({ results: Type.Array(RawPrice) })),
};

export const parseGroups = (bytes: Uint8Array): RawGroup[] => parse('groups', bytes).results;
export const parseProducts = (bytes: Uint8Array): RawProduct[] => parse('products', bytes).results;
export const parsePrices = (bytes: Uint8Array): RawPrice[] => parse('prices', bytes).results;

/** A file that is not what TCGCSV serves; the message says why. */
export class MalformedFile extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse<Kind extends keyof typeof ENVELOPES>(
  kind: Kind,
  bytes: Uint8Array,
): ReturnType<(typeof ENVELOPES)[Kind]['Parse']> {
  const checker = ENVELOPES[kind];
  const value = parseJson(kind, bytes);
  if (!checker.Check(value)) {
    const [fault] = checker.Errors(value);
    throw new MalformedFile(
      `${kind}: ${fault?.instancePath ?? ''} ${fault?.message ?? 'is wrong'}`,
    );
  }
  return value as ReturnType<(typeof ENVELOPES)[Kind]['Parse']>;
}

function parseJson(kind: string, bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (error) {
    throw new MalformedFile(`${kind}: not UTF-8 text`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MalformedFile(`${kind}: not valid JSON`, { cause: error });
  }
}
