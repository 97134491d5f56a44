import type { Millis } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';

/** When the newest figures of each game were observed. */
export class NewestFigures {
  readonly #moments = new Map<GameSlug, Millis>();

  add(game: GameSlug, figuresAt: Millis | null): void {
    if (figuresAt !== null && figuresAt > (this.#moments.get(game) ?? 0)) {
      this.#moments.set(game, figuresAt);
    }
  }

  /** Undefined for a game without figures. */
  of(game: GameSlug): Millis | undefined {
    return this.#moments.get(game);
  }
}
