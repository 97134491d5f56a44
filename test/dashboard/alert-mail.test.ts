import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AlertNews } from '../../src/accounts/alerts/mails.ts';
import { MailRefused } from '../../src/accounts/webhooks/attempt.ts';
import { alertMail } from '../../src/dashboard/alert-mail.ts';
import { createMailer } from '../../src/dashboard/mail.ts';
import type { Cents } from '../../src/domain/money.ts';
import { shareService } from '../support/app.ts';
import { openMailServer } from '../support/smtp.ts';

const shared = shareService('SQLite');
const CHARIZARD = 'pokemon-bs-charizard-004';
const AT = Date.UTC(2026, 0, 29, 12);
const TOKEN = `7-3-${'a'.repeat(43)}`;

const event = {
  alertId: 3,
  name: '',
  card: CHARIZARD,
  printing: 'Holofoil',
  copy: 'near_mint',
  rule: { kind: 'above', amount: 50_00 as Cents, percent: null, days: null },
  publishedAt: AT,
  before: 48_00 as Cents,
  after: 53_20 as Cents,
} as const;

const NEWS: AlertNews = {
  id: 'mail_1',
  to: 'ann@shop.example',
  events: [event],
  more: 0,
  token: TOKEN,
};

const written = (news: Partial<AlertNews> = {}) => {
  const { catalog } = shared.service;
  return alertMail({ ...NEWS, ...news }, { catalog, publicUrl: 'https://cards.example' });
};

it('A mail names the card, set, printing, copy, prices and day, and links to the card', () => {
  const { subject, text } = written();
  assert.equal(subject, 'Charizard: $53.20');
  assert.equal(
    text,
    `Charizard, Base Set 004/102, Holofoil, Near mint
$53.20 on 2026-01-29 (UTC), $48.00 before
Alert: at or above $50.00
https://cards.example/cards/${CHARIZARD}?printing=Holofoil&condition=near_mint

Your alerts, and everything that fired:
https://cards.example/alerts

Stop these mails:
https://cards.example/unsubscribe?token=${TOKEN}
`,
  );
});

it('A mail names its alert, a grade, a first price, a card that is gone and the events that it leaves out', () => {
  const graded = { ...event, copy: 'psa_10', name: 'Wants\u001b', before: null } as const;
  const gone = { ...event, card: 'pokemon-gone-1', copy: '' } as const;
  const { subject, text } = written({ events: [graded, gone], more: 3 });
  assert.equal(subject, '5 prices you watch changed');
  assert.match(text, /Holofoil, PSA 10\n\$53\.20 on 2026-01-29 \(UTC\), no price before\n/);
  assert.match(text, /\nAlert: at or above \$50\.00 \(Wants\\u001b\)\n.*&grade=psa_10\n/);
  assert.match(text, /\npokemon-gone-1, Holofoil\n/);
  assert.match(text, /\n\n3 more prices/);
});

it('A mail can be ended with one click, is marked as automatic, and keeps its id', async () => {
  const { url, mails } = await openMailServer();
  await createMailer(url, 'cards@shop.example').sendAlerts('ann@shop.example', written());
  const [head = ''] = (mails[0]?.text ?? '').split('\r\n\r\n');
  const headers = head.replaceAll(/\r\n\s+/g, ' ').split('\r\n');
  for (const header of [
    `List-Unsubscribe: <https://cards.example/unsubscribe?token=${TOKEN}>`,
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'Auto-Submitted: auto-generated',
    'Message-ID: <mail_1@cards.example>',
    'Subject: Charizard: $53.20',
  ]) {
    assert.ok(headers.includes(header), `${header}\n${head}`);
  }
  assert.match(head, /^Content-Type: text\/plain/m);
});

it('A refused address is refused for good, and is not in the error', async () => {
  const { url } = await openMailServer();
  const mailer = createMailer(url, 'cards@shop.example');
  await assert.rejects(mailer.sendAlerts('nobody@shop.example', written()), (error: Error) => {
    return error instanceof MailRefused && error.message === 'the mail server answered 550';
  });
  const nowhere = createMailer('smtp://127.0.0.1:1', 'cards@shop.example');
  await assert.rejects(nowhere.sendAlerts('ann@shop.example', written()), (error: Error) => {
    return !(error instanceof MailRefused) && !error.message.includes('ann@');
  });
});
