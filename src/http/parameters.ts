import { type TSchema, Type } from 'typebox';
import { GAMES } from '../domain/games.ts';

/** The parameters that several endpoints take. */

const GAME_NAMES = GAMES.flatMap(({ slug, aliases }) => [slug, ...aliases]);

export const GameParameter = Type.Optional(
  Type.String({ description: 'Only this game.', enum: GAME_NAMES }),
);

export const GamePath = Type.Object({
  game: Type.String({ description: 'Slug of the game.', enum: GAME_NAMES }),
});

export const SetPath = Type.Object({
  setId: Type.String({
    description: 'setId, from cards and sets.',
    examples: ['pokemon-base-set'],
  }),
});

/**
 * A parameter with a default. Callers may leave it out, but a validated request always has it, so
 * its type is not optional.
 */
export const Defaulted = <Schema extends TSchema>(schema: Schema): Schema => Type.Optional(schema);

export const Limit = (initial: number, maximum: number) =>
  Defaulted(
    Type.Integer({ description: 'Results per page.', minimum: 1, maximum, default: initial }),
  );

export const Offset = Defaulted(
  Type.Integer({
    description: 'Number of results to skip.',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
  }),
);

export const IdParameter = Type.Object({
  id: Type.String({
    description: 'Card id, from search results.',
    examples: ['pokemon-bs-charizard-004'],
  }),
});
