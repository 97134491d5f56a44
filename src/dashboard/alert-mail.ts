import type { MailedEvent } from '../accounts/alerts/mail-sql.ts';
import type { AlertNews } from '../accounts/alerts/mails.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { describeRule } from '../domain/alerts.ts';
import { formatCopyName } from '../domain/copy.ts';
import { dayOf, formatDay } from '../domain/day.ts';
import { isGrade } from '../domain/grades.ts';
import { formatCents } from '../domain/money.ts';
import { escapeControls } from '../lib/control-characters.ts';
import type { MailText } from './mail.ts';
import { PAGES } from './pages.ts';

interface MailContext {
  readonly catalog: Pick<Catalog, 'card'>;
  /** The web origin of the service. */
  readonly publicUrl: string;
}

/**
 * Writes the mail about fired alerts: plain text without read tracking. Mail programs can end these
 * mails with one click (RFC 8058).
 */
export function alertMail(news: AlertNews, context: MailContext): MailText {
  const { id, events, more, token } = news;
  const { publicUrl } = context;
  const unsubscribe = `${publicUrl}${PAGES.unsubscribe}?token=${token}`;
  const parts = events.map((event) => partOf(event, context));
  const rest = more > 0 ? [`${more} more ${more === 1 ? 'price' : 'prices'}: see below.`] : [];
  return {
    subject: subjectOf(news, context),
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
    text: `${[...parts, ...rest].join('\n\n')}

Your alerts, and everything that fired:
${publicUrl}${PAGES.alerts}

Stop these mails:
${unsubscribe}
`,
  };
}

function subjectOf({ events: [first], events, more }: AlertNews, context: MailContext): string {
  const count = events.length + more;
  if (!first || count > 1) return `${count} prices you watch changed`;
  return `${nameOf(first, context)}: ${formatCents(first.after)}`;
}

/** The description of an event in a mail. */
function partOf(event: MailedEvent, context: MailContext): string {
  const { name, rule, before, after, publishedAt } = event;
  const was = before === null ? 'no price before' : `${formatCents(before)} before`;
  const alert = [describeRule(rule), ...(name === '' ? [] : [`(${name})`])].join(' ');
  return `${copyLine(event, context)}
${formatCents(after)} on ${formatDay(dayOf(publishedAt))} (UTC), ${was}
Alert: ${escapeControls(alert)}
${linkTo(event, context.publicUrl)}`;
}

/** `Charizard, Base Set 4/102, Holofoil, Near mint` */
function copyLine(event: MailedEvent, context: MailContext): string {
  const card = context.catalog.card(event.card);
  const place = card ? [card.set.name, card.number].filter((part) => part !== null).join(' ') : '';
  const parts = [
    nameOf(event, context),
    place,
    event.printing,
    event.copy && formatCopyName(event.copy),
  ];
  return escapeControls(parts.filter((part) => part !== '').join(', '));
}

/** A card that no source has any longer is identified by its id. */
function nameOf({ card }: MailedEvent, { catalog }: MailContext): string {
  return catalog.card(card)?.name ?? card;
}

function linkTo({ card, printing, copy }: MailedEvent, publicUrl: string): string {
  const kind = copy !== '' && isGrade(copy) ? 'grade' : 'condition';
  const query = new URLSearchParams({ printing, ...(copy !== '' && { [kind]: copy }) });
  return `${publicUrl}${PAGES.card.replace(':id', encodeURIComponent(card))}?${query}`;
}
