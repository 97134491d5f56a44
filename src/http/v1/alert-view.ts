import type { ListedAlert } from '../../accounts/alerts/alert-sql.ts';
import type { AlertEvent } from '../../accounts/alerts/event-sql.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { type AlertLine, copyFields } from '../../domain/alerts.ts';
import type { Card } from '../../domain/card.ts';
import { dayOf, formatDay, formatMoment } from '../../domain/day.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import { foundLines, priceOf } from './alert-draft.ts';
import { dollars, moment } from './views.ts';

/** The bodies of answers about alerts. */

export function alertView(catalog: Catalog, alert: ListedAlert) {
  const { id, name, kind, amount, percent, days, mail, set, line, lineCount } = alert;
  const [found] = line ? foundLines(catalog, [line]) : [];
  const watched = found?.subject.set ?? (set === null ? undefined : catalog.set(set)?.set);
  return {
    id,
    name,
    kind,
    amount: dollars(amount),
    percent,
    days,
    mail,
    ...(set !== null && { set }),
    ...(watched && { game: watched.game, setName: watched.name }),
    ...(line && lineView(line)),
    ...(found && { cardName: found.subject.name }),
    lineCount,
    price: found ? dollars(priceOf(found)) : null,
    createdAt: formatMoment(alert.createdAt),
    pausedAt: moment(alert.pausedAt),
    firedAt: moment(alert.firedAt),
  };
}

/** An alert with every price that it watches. */
export function alertDetail(catalog: Catalog, alert: ListedAlert, lines: readonly AlertLine[]) {
  const view = alertView(catalog, alert);
  return alert.set === null ? { ...view, lines: lines.map(lineView) } : view;
}

export function lineView({ card, printing, copy }: AlertLine) {
  return { card, printing, ...copyFields(copy) };
}

interface Firing extends AlertLine {
  readonly before: Cents | null;
  readonly after: Cents;
}

/** A fired event. A card that no longer exists is named by its id. */
export function firedView({ before, after, ...line }: Firing, card: Card | undefined) {
  return {
    ...lineView(line),
    cardName: card?.name ?? line.card,
    before: dollars(before),
    after: dollarsFromCents(after),
  };
}

export function eventView(catalog: Catalog, event: AlertEvent) {
  const { id, alertId: alert, publishedAt, publication } = event;
  return {
    id,
    alert,
    publication: publication.revision,
    date: formatDay(dayOf(publishedAt)),
    ...firedView(event, catalog.card(event.card)),
  };
}
