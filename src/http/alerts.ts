import type { Logger } from 'pino';
import { trimEvents } from '../accounts/alerts/event-sql.ts';
import { type ChangedPrinting, judgePart } from '../accounts/alerts/judgement.ts';
import {
  beginProgress,
  hasAlerts,
  heldCards,
  moveProgress,
  type Progress,
  readProgress,
  restartAlerts,
} from '../accounts/alerts/judgement-sql.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Card } from '../domain/card.ts';
import { type Millis, MS_PER_DAY } from '../domain/day.ts';
import { NO_PRICES } from '../domain/price.ts';
import { cursorOf } from '../domain/publication-cursor.ts';
import { poll } from '../lib/poll.ts';
import type {
  ChangeablePrices,
  ChangePlace,
  ChangesReader,
  StoredChange,
} from '../store/catalogue/changes.ts';
import {
  isOfThisDatabase,
  nextPublication,
  type Publication,
} from '../store/catalogue/publications.ts';
import type { Store } from '../store/connect.ts';
import { logFailure } from './failures.ts';

/**
 * Interval at which a process checks for a served publication that is not judged, in milliseconds.
 */
const LOOK_MS = 1000;

/** Changes judged in one transaction. */
const PART = 50;

/** How long events are kept, in days, and how often older ones are deleted. */
export const EVENT_DAYS = 400;
const TRIM_MS = 3_600_000;

/** The judge of the alerts of a service. */
export interface AlertJudgeOptions {
  readonly store: Store;
  readonly catalog: Pick<Catalog, 'publication' | 'cardByRowId' | 'card'>;
  readonly changes: Pick<ChangesReader, 'ofPublication' | 'pricesAt'>;
  readonly clock: () => Millis;
}

/**
 * Judges each publication once it is served, unless another process has already judged it. Returns
 * a function that stops it after the current part.
 */
export function watchAlerts(options: AlertJudgeOptions, logger: Logger): () => Promise<void> {
  const { store, clock } = options;
  const stopping = new AbortController();
  let trimmedAt: Millis = 0;
  let judging = Promise.resolve();
  const look = async () => {
    try {
      await judgeAlerts(options, stopping.signal);
      if (Math.abs(clock() - trimmedAt) < TRIM_MS) return;
      trimmedAt = clock();
      await trimEvents(store.accounts.db, trimmedAt - EVENT_DAYS * MS_PER_DAY);
    } catch (error) {
      logFailure(logger, error, 'alerts could not be judged; this is repeated');
    }
  };
  const stop = poll(() => {
    judging = look();
    return judging;
  }, LOOK_MS);
  return () => {
    stop();
    stopping.abort();
    return judging;
  };
}

/**
 * Judges all publications up to the served one, in order. If a process is killed, the next one
 * continues.
 */
export async function judgeAlerts(options: AlertJudgeOptions, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await judgeNext(options))) {
    // The next part.
  }
}

/** Judges a part of a publication; returns whether there may be more. */
async function judgeNext(options: AlertJudgeOptions): Promise<boolean> {
  const { store, catalog } = options;
  const { db } = store.accounts;
  const served = catalog.publication;
  const progress = await readProgress(db);
  if (!progress) {
    await beginProgress(db, judged(served));
    return false;
  }
  if (isJudged(served, progress)) return false;
  // After a failover, a process may still serve a publication that the database has lost.
  if (!(await isOfThisDatabase(store.db, served))) return false;
  const publication = await publicationAfter(store, progress);
  if (publication === 'unknown') return restart(options, progress);
  if (!publication || publication.revision > served.revision) return false;
  if (!(await hasAlerts(db))) return moveProgress(db, progress, judged(publication));
  return judgeNextPart(options, progress, publication);
}

function isJudged(served: Publication, { revision, id, place }: Progress): boolean {
  return place === null && revision === served.revision && id === served.id;
}

/** The progress after a publication. */
function judged({ revision, id }: Pick<Publication, 'revision' | 'id'>): Progress {
  return { revision, id, place: null };
}

/**
 * Returns the publication to judge next, starting with an unfinished one. `unknown` if the database
 * lacks the last judged one, because a failover or a restored backup has replaced it.
 */
async function publicationAfter({ db }: Store, { revision, id, place }: Progress) {
  const last = await nextPublication(db, revision - 1);
  if (last?.revision !== revision || last.id !== id) return 'unknown';
  return place === null ? nextPublication(db, revision) : last;
}

/** Continues after the served publication. Changes in the lost publications cannot be known. */
async function restart(
  { store, catalog }: AlertJudgeOptions,
  progress: Progress,
): Promise<boolean> {
  const served = catalog.publication;
  return store.accounts.db.transaction().execute(async (transaction) => {
    if (!(await moveProgress(transaction, progress, judged(served)))) return false;
    await restartAlerts(transaction, served.revision);
    return false;
  });
}

async function judgeNextPart(
  options: AlertJudgeOptions,
  progress: Progress,
  publication: Publication,
): Promise<boolean> {
  const { store, changes, clock } = options;
  const { revision, id } = publication;
  const read = await changes.ofPublication(revision, placeOf(progress), PART);
  const last = read.at(-1)?.place;
  const isLast = last === undefined || read.length < PART;
  const changed = await printingsOf(options, revision, read);
  if (isLast) changed.push(...(await heldPrintings(options, revision, changed)));
  const to = isLast ? judged(publication) : { revision, id, place: JSON.stringify(last) };
  const cursor = cursorOf({ revision, id });
  const now = clock();
  const publishedAt = publication.publishedAt ?? now;
  return judgePart(store, {
    publication: { revision, id, publishedAt },
    from: progress,
    to,
    changed,
    cursor,
    now,
  });
}

function placeOf({ place }: Progress): ChangePlace | undefined {
  return place === null ? undefined : (JSON.parse(place) as ChangePlace);
}

const NOTHING: ChangeablePrices = { ...NO_PRICES, conditions: {}, graded: {} };

/** Returns the printings that changes concern, with their prices before and after. */
async function printingsOf(
  { catalog, changes }: AlertJudgeOptions,
  revision: number,
  read: readonly StoredChange[],
): Promise<ChangedPrinting[]> {
  // Reads prices from the catalogue before prices that later publications have changed.
  const isServed = catalog.publication.revision === revision;
  const found = read.flatMap((change) => {
    const card = catalog.cardByRowId(change.place.card_id);
    return card ? changedPrintings(card, change) : [];
  });
  const cards = new Set(isServed ? [] : read.map(({ place }) => place.card_id));
  const replaced = await changes.pricesAt(revision, [...cards]);
  return found.map(({ rowId, ...printing }) => {
    return { ...printing, after: replaced.get(rowId) ?? printing.after };
  });
}

type FoundPrinting = ChangedPrinting & { readonly rowId: number };

function changedPrintings(card: Card, { place, name, prices }: StoredChange): FoundPrinting[] {
  const isNewCard = place.printing_id === 0 && name === null;
  const before = isNewCard ? NOTHING : prices;
  return card.printings
    .filter(({ rowId }) => isNewCard || rowId === place.printing_id)
    .map((printing) => ({ ...describe(card, printing), rowId: printing.rowId, before }));
}

function describe(card: Card, { name, prices, dispute }: Card['printings'][number]) {
  return {
    card: card.id,
    set: card.set.id,
    cardName: card.name,
    printing: name,
    isDisputed: dispute !== undefined,
    after: prices,
  };
}

/** Returns the printings with waiting prices that no longer have a price in quarantine. */
async function heldPrintings(
  { store, catalog }: AlertJudgeOptions,
  revision: number,
  changed: readonly ChangedPrinting[],
): Promise<ChangedPrinting[]> {
  if (catalog.publication.revision !== revision) return [];
  const known = new Set(changed.map(({ card, printing }) => `${card} ${printing}`));
  const cards = await heldCards(store.accounts.db);
  return cards.flatMap((id) => {
    const card = catalog.card(id);
    const printings = card?.printings.map((printing) => describe(card, printing)) ?? [];
    return printings
      .filter(({ card: one, printing }) => !known.has(`${one} ${printing}`))
      .filter(({ isDisputed }) => !isDisputed)
      .map((printing) => ({ ...printing, before: printing.after }));
  });
}
