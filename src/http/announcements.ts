import { insertPublished } from '../accounts/webhooks/webhook-sql.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { formatDay, formatMoment, type Millis } from '../domain/day.ts';
import { cursorOf } from '../domain/publication-cursor.ts';
import { type PublishedPrices, RETRY_MS } from '../domain/webhooks.ts';
import type { Store } from '../store/connect.ts';

/** The part of a catalogue that webhooks are notified about. */
export type AnnouncedCatalog = Pick<Catalog, 'publication' | 'games' | 'asOf' | 'onPublished'>;

interface AnnouncementOptions {
  readonly store: Store;
  readonly clock: () => Millis;
  readonly catalog: AnnouncedCatalog;
}

/** A served publication. */
interface Served {
  readonly id: string;
  readonly publishedAt: Millis;
  readonly data: PublishedPrices;
}

/**
 * Records each publication that this process serves for the webhooks, in order. Publications that
 * it could not record wait.
 */
export class Announcements {
  readonly #options: AnnouncementOptions;
  readonly #waiting: Served[] = [];

  constructor(options: AnnouncementOptions) {
    this.#options = options;
    this.#add();
    options.catalog.onPublished(() => this.#add());
  }

  /**
   * Records the waiting publications, each only once, however many processes serve it. Skips an old
   * one: it was recorded when it was new, and its events may have been deleted since. Rejects if
   * the database fails; the next call continues.
   */
  async record(): Promise<void> {
    const { store, clock } = this.#options;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const now = clock();
      if (next.publishedAt >= now - RETRY_MS) {
        await insertPublished(store.accounts.db, next, next.data, now);
      }
      this.#waiting.shift();
    }
  }

  #add(): void {
    const { catalog } = this.#options;
    const { id, revision, publishedAt } = catalog.publication;
    if (publishedAt === null) return;
    const games = catalog.games().flatMap(({ game: { slug, name } }) => {
      const day = catalog.asOf(slug);
      return day === null ? [] : [{ game: slug, name, asOf: formatDay(day) }];
    });
    const data = {
      publication: revision,
      publishedAt: formatMoment(publishedAt),
      cursor: cursorOf({ revision, id }),
      games,
    };
    this.#waiting.push({ id, publishedAt, data });
  }
}
