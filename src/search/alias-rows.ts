import type { GameSlug } from '../domain/games.ts';

/**
 * What collectors and players call cards, by game: what they type, and the query that it stands for.
 * A row is kept only if it is really used; nothing is abbreviated by rule.
 */
export const ALIAS_ROWS: Readonly<Partial<Record<GameSlug, string>>> = {
  pokemon: `
moonbreon: umbreon vmax 215/203 evolving skies
`,
  mtg: `
bolt: lightning bolt
`,
};
