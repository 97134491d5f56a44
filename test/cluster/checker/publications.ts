import { CENTS, centsOf } from '../catalogue.ts';
import type { Reading } from '../reading.ts';
import type { Answer, PublicationRun, RunRecord, Sighting } from '../record.ts';
import { eachAfter } from './order.ts';

/** Promises about publications. */

/** So long after a publication, or after the healing of a fault, all nodes serve the same. */
export const AGREEMENT_MS = 5000;

/**
 * Every body is one publication, whole, and so is the number of cards that a node says to serve.
 */
export function bodiesAreWhole(record: RunRecord): string[] {
  const mixed = record.sightings.filter(({ publication }) => !Number.isInteger(publication ?? 0));
  return [
    ...eachReading(record, ({ flaw }, answer) => {
      return flaw === null ? undefined : `${of(answer)} is not one publication: ${flaw}`;
    }),
    ...mixed.map(({ node, publication }) => {
      return `${node} says to serve as many cards as publication ${publication} would have`;
    }),
  ];
}

/** Every shown publication was published, or is being published. */
export function bodiesWerePublished(record: RunRecord): string[] {
  return eachReading(record, (reading, answer) => {
    const begun = record.publications.filter(({ sent }) => sent <= answer.received);
    const numbers = begun.map(({ number }) => number);
    const { publication, cents } = reading;
    const isKnown =
      publication === null
        ? cents === null || numbers.some((number) => centsOf(number) === cents)
        : numbers.includes(publication);
    if (isKnown) return undefined;
    const what =
      publication === null ? `prices that end in ${cents}` : `publication ${publication}`;
    return `${of(answer)} shows ${what}, which nobody had published`;
  });
}

/**
 * A node never goes back: what is asked of it after an answer came is of the same publication or of
 * a later one. Of different nodes that is not promised, for one may load a publication before
 * another.
 */
export function nodesGoForward(record: RunRecord): string[] {
  return [...shownByNode(record).values()].flatMap((shown) => {
    return eachAfter(shown, shown, isNewer, (one, newest) => {
      if (one.publication >= newest.publication) return undefined;
      return (
        `${one.what} shows publication ${one.publication}, after ${newest.what} of the same node ` +
        `showed ${newest.publication}`
      );
    });
  });
}

/** No node that is ready is late, but while a fault lasts and shortly after it. */
export function nodesAgree(record: RunRecord): string[] {
  const { publications, sightings } = record;
  return sightings.flatMap((sighting) => {
    const { node, sent, publication } = sighting;
    if (isDisturbed(record, sighting)) return [];
    const newest = newestBy(publications, sent - AGREEMENT_MS);
    if (newest === undefined || (publication !== null && publication >= newest)) return [];
    return [
      `${node} ${served(publication)} ${lag(record, sighting)}, which was publication ${newest}`,
    ];
  });
}

/** At the end, every node serves the last publication that was acknowledged, or a later one. */
export function lastIsServed({ publications, sightings, ended }: RunRecord): string[] {
  const newest = newestBy(publications, ended);
  const last = new Map(sightings.map((sighting) => [sighting.node, sighting]));
  return [...last.values()].flatMap(({ node, publication }) => {
    if (newest === undefined || (publication !== null && publication >= newest)) return [];
    return [
      `${node} ${served(publication)} at the end, and publication ${newest} was acknowledged`,
    ];
  });
}

/** A card has one id in all publications, and an id means one card. */
export function idsNeverChange({ readings }: RunRecord): string[] {
  const ids = new Map<string, string>();
  const cards = new Map<string, string>();
  const wrong = new Set<string>();
  for (const [card, id] of [...readings.values()].flatMap((reading) => reading.cards)) {
    const [firstId, firstCard] = [ids.get(card) ?? id, cards.get(id) ?? card];
    if (firstId !== id) wrong.add(`the card ${card} has the ids ${firstId} and ${id}`);
    if (firstCard !== card) wrong.add(`the id ${id} is of the cards ${firstCard} and ${card}`);
    ids.set(card, firstId);
    cards.set(id, firstCard);
  }
  return [...wrong];
}

/**
 * A history is read from the database, maybe before its publication; it is never of an earlier
 * publication than the node showed before. (Prices tell publications up to a multiple.)
 */
export function historiesKeepUp(record: RunRecord): string[] {
  const shown = shownByNode(record);
  const { readings } = record;
  const histories = record.answers.filter(({ digest }) => {
    const reading = readings.get(digest ?? '');
    return reading?.publication === null && reading.cents !== null;
  });
  const byNode = Map.groupBy(histories, ({ node }) => node ?? '');
  return [...byNode].flatMap(([node, asked]) => {
    return eachAfter(shown.get(node) ?? [], asked, isNewer, (answer, { publication }) => {
      const { cents = null } = readings.get(answer.digest ?? '') ?? {};
      const begun = record.publications.filter(({ sent }) => sent <= answer.received);
      const isLater = ({ number }: PublicationRun) =>
        number >= publication && number < publication + CENTS;
      if (begun.filter(isLater).some(({ number }) => centsOf(number) === cents)) return undefined;
      return `${of(answer)} ends in ${cents} cents, after its node showed publication ${publication}`;
    });
  });
}

/** A publication that a node showed. */
interface Shown {
  readonly what: string;
  readonly node: string;
  readonly sent: number;
  readonly received: number;
  readonly publication: number;
}

function isNewer(one: Shown, than: Shown): boolean {
  return one.publication > than.publication;
}

/** What each node showed, by answers and by what it said itself. */
function shownByNode(record: RunRecord): Map<string, Shown[]> {
  const sighted = record.sightings.flatMap(({ publication, ...sighting }) => {
    return publication === null || !Number.isInteger(publication)
      ? []
      : [{ what: 'its readiness', ...sighting, publication }];
  });
  return Map.groupBy([...shownByAnswers(record), ...sighted], ({ node }) => node);
}

function shownByAnswers({ answers, readings }: RunRecord): Shown[] {
  return answers.flatMap(({ id, node, digest, sent, received }) => {
    const { publication = null } = readings.get(digest ?? '') ?? {};
    if (node === null || publication === null) return [];
    return [{ what: id, node, sent, received, publication }];
  });
}

/** What `judge` objects to, of all answers whose body was read. */
function eachReading(
  { answers, readings }: RunRecord,
  judge: (reading: Reading, answer: Answer) => string | undefined,
): string[] {
  return answers.flatMap((answer) => {
    const reading = readings.get(answer.digest ?? '');
    return (reading && judge(reading, answer)) ?? [];
  });
}

/** The newest publication that was acknowledged by a moment. */
function newestBy(publications: readonly PublicationRun[], at: number): number | undefined {
  const known = publications.filter(
    ({ acknowledged }) => acknowledged !== null && acknowledged <= at,
  );
  return known.length === 0 ? undefined : Math.max(...known.map(({ number }) => number));
}

function isDisturbed({ faults }: RunRecord, { sent, received }: Sighting): boolean {
  return faults.some(({ begun, healed }) => begun <= received && sent <= healed + AGREEMENT_MS);
}

function of({ id, endpoint, node }: Answer): string {
  return `the ${endpoint} ${id} of ${node ?? 'a node'}`;
}

function served(publication: number | null): string {
  return publication === null ? 'was not ready' : `served publication ${publication}`;
}

function lag({ begun }: RunRecord, { sent }: Sighting): string {
  const seconds = ((sent - begun) / 1000).toFixed(1);
  return `${seconds} s into the run, ${AGREEMENT_MS / 1000} s or more after the newest`;
}
