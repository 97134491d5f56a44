import { comparePrintings, meantPrinting, UNSPECIFIED } from '../../domain/card.ts';
import { dayOf } from '../../domain/day.ts';
import { gameBySlug } from '../../domain/games.ts';
import {
  type LanguageCode,
  languageOfPrinting,
  printingInLanguage,
  withoutLanguage,
} from '../../domain/languages.ts';
import { withoutAmounts } from '../../domain/observation.ts';
import type { StoredObservation } from '../../store/catalogue/observations.ts';
import type { CardScope } from '../../store/quarantine/quarantine.ts';
import type { CardObservation, ResolvedObservation } from '../observation.ts';
import type { ImportRun } from '../run.ts';
import { agree, givesCatalogue, hasAmounts, joinAmounts } from '../validation/index.ts';
import { isSameSeries, type KnownPrintings } from './printings.ts';

/**
 * Resolves the printings of observations. An observation that names no printing belongs to the
 * card's default printing. If the card has no printings and the observation has no price, it is
 * omitted. A printing in another language, such as `Foil (German)`, is a translation of the
 * printing in its name; `Unspecified (German)` is a translation of the default printing.
 */
export function resolve(
  run: ResolveRun,
  printings: KnownPrintings,
  observations: readonly CardObservation[],
): ResolvedObservation[] {
  return observations.flatMap((reported) => {
    const { name, language } = readPrinting(run, reported);
    if (language !== undefined)
      return [resolveTranslated(run, printings, reported, name, language)];
    if (name === undefined) return resolveUnnamed(run, printings, reported);
    return [resolveNamed(run, printings, reported, name)];
  });
}

/** Parses the name of a printing. Without a language, it is in the catalogue's language. */
function readPrinting(
  { scopes }: ResolveRun,
  { card, observation: { printing } }: CardObservation,
): { readonly name: string | undefined; readonly language?: LanguageCode } {
  const language = languageOfPrinting(printing ?? '');
  if (printing === undefined || language === undefined) return { name: printing };
  const plain = withoutLanguage(printing);
  const name = plain === UNSPECIFIED ? undefined : plain;
  const scope = scopes.get(card.id);
  const isOwn = scope !== undefined && gameBySlug(scope.game).language === language;
  return isOwn ? { name } : { name, language };
}

function resolveTranslated(
  run: ResolveRun,
  printings: KnownPrintings,
  reported: CardObservation,
  name: string | undefined,
  language: LanguageCode,
): ResolvedObservation {
  const known = printings.names(reported.card.id);
  const plain =
    name === undefined
      ? (printings.defaultName(reported.card.id) ?? UNSPECIFIED)
      : meantPrinting(name, known);
  const inLanguage = (one: string) => printingInLanguage(one, language);
  const resolved = resolveTo(run, printings, reported, inLanguage(plain));
  return {
    ...resolved,
    // A finish that exists may exist in every language.
    knownPrintings: resolved.knownPrintings.map(inLanguage),
    statedPrintings: resolved.statedPrintings?.map(inLanguage) ?? null,
  };
}

/** A run with the sets of the cards whose observations are resolved. */
export interface ResolveRun extends ImportRun {
  /** By row id of the card. */
  readonly scopes: ReadonlyMap<number, CardScope>;
}

function resolveUnnamed(
  run: ResolveRun,
  printings: KnownPrintings,
  reported: CardObservation,
): ResolvedObservation[] {
  const { observation, card } = reported;
  const known = printings.defaultName(card.id);
  if (known === undefined && !hasAmounts(observation) && !reported.conflict?.claim) return [];
  const name = known ?? plainestOf(reported.statedPrintings);
  const resolved = resolveTo(run, printings, reported, name);
  const before = printings.find(card.id, UNSPECIFIED);
  const isKnown = before?.observations.some((one) => isOfSeries(one, reported));
  if (name === UNSPECIFIED || !isKnown) return [resolved];
  // Moves the source's price from the unspecified printing to the one that is now known.
  const gone = { ...reported, observation: withoutAmounts(observation) };
  return [resolved, resolveTo(run, printings, gone, UNSPECIFIED)];
}

/**
 * Resolves a printing by its source's name. The name stays unchanged for catalogue sources. It also
 * stays if the source lists the resolved printing under another name.
 */
function resolveNamed(
  run: ResolveRun,
  printings: KnownPrintings,
  reported: CardObservation,
  name: string,
): ResolvedObservation {
  const known = printings.names(reported.card.id);
  const meant = givesCatalogue(reported.source) ? name : meantPrinting(name, known);
  if (meant === name) return resolveTo(run, printings, reported, name);
  const { statedPrintings: stated } = reported;
  const others = stated?.filter((other) => other !== name) ?? [];
  if (others.some((other) => meantPrinting(other, known) === meant)) {
    return resolveTo(run, printings, reported, name);
  }
  const statedPrintings = stated?.map((one) => (one === name ? meant : one)) ?? null;
  return resolveTo(run, printings, { ...reported, statedPrintings }, meant);
}

function plainestOf(names: readonly string[] | null | undefined): string {
  return names?.toSorted(comparePrintings)[0] ?? UNSPECIFIED;
}

function isOfSeries(known: StoredObservation, { source, observation }: CardObservation): boolean {
  return isSameSeries(known, { source, marketplace: observation.marketplace });
}

function resolveTo(
  run: ResolveRun,
  printings: KnownPrintings,
  reported: CardObservation,
  printing: string,
): ResolvedObservation {
  const { source, card, externalId, observation, statedPrintings = null } = reported;
  const { conflict, shift, missing, presentFrom } = reported;
  const known = printings.find(card.id, printing)?.observations ?? [];
  const isUnspecified = printing === UNSPECIFIED;
  const before = known.find((one) => isOfSeries(one, reported));
  return {
    source,
    card: card.id,
    cardName: card.name,
    set: setOf(run, card.id),
    printing,
    externalId,
    knownPrintings: printings
      .names(card.id)
      .filter((name) => isUnspecified || name !== UNSPECIFIED),
    reportedPrintings: printings.reportedNames(card.id, source),
    statedPrintings: isUnspecified ? null : statedPrintings,
    observation,
    before,
    others: known.filter((one) => one.source !== source),
    conflict,
    shift,
    missing,
    presentFrom,
  };
}

function setOf({ scopes }: ResolveRun, card: number): ResolvedObservation['set'] {
  const { set: rowId, name } = scopes.get(card) ?? { set: 0, name: 'no set' };
  return { rowId, name };
}

/**
 * Joins rows of one printing that a source reports separately, such as one row for each condition.
 * Rows are joined if they have the same marketplace, currency and day, and their amounts do not
 * contradict each other.
 */
export function joinRows(resolved: readonly ResolvedObservation[]): ResolvedObservation[] {
  const joined: ResolvedObservation[] = [];
  for (const rows of Map.groupBy(resolved, rowKey).values()) {
    for (const row of rows) {
      const at = rows.length > 1 ? joined.findLastIndex((other) => complements(other, row)) : -1;
      const other = joined[at];
      if (other) joined[at] = join(other, row);
      else joined.push(row);
    }
  }
  return joined;
}

/** The key of an observation's printing, source and marketplace. */
export function rowKey({ card, printing, source, observation }: ResolvedObservation): string {
  return `${card} ${printing} ${source} ${observation.marketplace}`;
}

function complements(a: ResolvedObservation, b: ResolvedObservation): boolean {
  if (rowKey(a) !== rowKey(b) || a.conflict || b.conflict) return false;
  const [one, other] = [a.observation, b.observation];
  if (one.earlierDays?.length || other.earlierDays?.length) return false;
  const isSameDay = dayOf(one.observedAt) === dayOf(other.observedAt);
  return one.currency === other.currency && isSameDay && agree(one, other);
}

function join(a: ResolvedObservation, b: ResolvedObservation): ResolvedObservation {
  const [one, other] = [a.observation, b.observation];
  const observation = {
    ...one,
    observedAt: Math.max(one.observedAt, other.observedAt),
    ...joinAmounts(one, other),
    ...((one.trade || other.trade) && { trade: { ...one.trade, ...other.trade } }),
  };
  const { statedPrintings: stated } = a;
  const statedPrintings =
    stated && b.statedPrintings ? [...new Set([...stated, ...b.statedPrintings])] : stated;
  return { ...a, observation, statedPrintings };
}
