import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { type Currency, WANTED_CURRENCIES, type WantedCurrency } from '../../domain/currencies.ts';
import { GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import type { Answer } from './answer.ts';
import type { Api } from './api.ts';

/** A tool for assistants. It reads only `/v1`, with the rights of its caller. */
export interface Tool<Input extends TObject = TObject, Output extends TObject = TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** @throws ToolError if a request is refused. */
  run(api: Api, input: Static<Input>): Promise<Answer<Static<Output>>>;
}

/** Returns the tool. The types of its function follow from its schemas. */
export function defineTool<Input extends TObject, Output extends TObject>(
  tool: Tool<Input, Output>,
): Tool {
  return tool;
}

/** The schema of arguments. Refuses unknown ones, so assistants notice misspellings. */
export const Arguments = <Properties extends Record<string, TSchema>>(properties: Properties) => {
  const description = `The arguments are ${Object.keys(properties).join(', ')}.`;
  return Type.Object(properties, { additionalProperties: false, description });
};

/** The parts that schemas of tools share. */

export const Nullable = {
  text: (description: string) =>
    Type.Unsafe<string | null>({ type: ['string', 'null'], description }),
  number: (description: string) =>
    Type.Unsafe<number | null>({ type: ['number', 'null'], description }),
};

export const Choice = <const Name extends string>(description: string, names: readonly Name[]) =>
  Type.Unsafe<Name>({ type: 'string', description, enum: [...names] });

/** Longest text of an argument, in characters, as in `/v1`. */
const MAX_TEXT = 200;

export const ShortText = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: MAX_TEXT });

export const CardIdArgument = ShortText('Card id, as `search` or `resolve` gives it.');

export const GameArgument = Type.Optional(Choice<GameSlug>('Only this game.', GAME_SLUGS));

export const CurrencyArgument = Type.Optional(
  Choice<WantedCurrency>(
    'Currency of the prices, US dollars by default. `native` is that of each source.',
    WANTED_CURRENCIES,
  ),
);

export const LimitArgument = (maximum: number, initial: number) =>
  Type.Optional(
    Type.Integer({
      description: `At most this many results, ${initial} by default. Long answers have fewer.`,
      minimum: 1,
      maximum,
    }),
  );

export const OffsetArgument = Type.Optional(
  Type.Integer({
    description: 'Results to skip, for the next page.',
    minimum: 0,
    maximum: 100_000,
  }),
);

export const CurrencyText = Type.Unsafe<Currency>({
  type: 'string',
  description: 'Currency of the prices.',
});

export const Url = Type.String({ description: 'The page to show to people.' });
export const AsOf = Nullable.text('The day (UTC) of the price, `YYYY-MM-DD`.');
export const Sources = Type.Array(Type.String(), {
  description: 'The marketplaces that the price comes from.',
});
