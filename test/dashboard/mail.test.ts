import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMailer, NOTICES, type NoticeKind } from '../../src/dashboard/mail.ts';
import { OperatorError } from '../../src/domain/errors.ts';
import { openMailServer } from '../support/smtp.ts';

const LINK = `https://cards.example/reset#${'a'.repeat(43)}`;
const UNTIL = Date.UTC(2026, 0, 28, 13);

it('sends the link to the owner of the account', async () => {
  const { url, mails } = await openMailServer();
  await createMailer(url, 'cards@shop.example').sendReset('ann@shop.example', LINK, UNTIL);
  const [mail] = mails;
  assert.ok(mail);
  assert.deepEqual([mail.from, mail.to], ['cards@shop.example', ['ann@shop.example']]);
  assert.match(mail.text, /^Subject: Set a new password\r$/m);
  assert.match(mail.text, /^From: Cardprice <cards@shop\.example>\r$/m);
  const body = unfolded(mail.text);
  assert.ok(body.includes(`\n${LINK}\n`), body);
  assert.match(body, /works once, until 2026-01-28 13:00 UTC\./);
  assert.match(body, /the account ann@shop\.example/);
});

it('sends people who sign up a link, or a note that they have an account', async () => {
  const { url, mails } = await openMailServer();
  const mailer = createMailer(url, 'cards@shop.example');
  await mailer.sendSignUp('ann@shop.example', LINK, UNTIL);
  await mailer.sendTaken('ann@shop.example', 'https://cards.example/forgot');
  const [link = '', taken = ''] = mails.map(({ text }) => text);
  assert.match(link, /^Subject: Confirm your account\r$/m);
  assert.ok(unfolded(link).includes(`\n${LINK}\n`));
  assert.match(taken, /^Subject: You already have an account\r$/m);
  assert.ok(unfolded(taken).includes('\nhttps://cards.example/forgot\n'));
  assert.doesNotMatch(unfolded(taken), /reset#/);
});

it('tells an owner what happened, when, from where, and what to do', async () => {
  const { url, mails } = await openMailServer();
  const mailer = createMailer(url, 'cards@shop.example');
  const kinds = Object.keys(NOTICES) as NoticeKind[];
  for (const kind of kinds) {
    const notice = { kind, at: UNTIL, address: '2001:db8::7' };
    await mailer.sendNotice('ann@shop.example', notice, 'https://cards.example');
  }
  assert.equal(mails.length, kinds.length);
  for (const { text } of mails) {
    const body = unfolded(text);
    assert.match(body, /the account ann@shop\.example at https:\/\/cards\.example/);
    assert.match(body, /on 2026-01-28 13:00 UTC .*, from the network address 2001:db8::7\./);
    assert.match(body, /\nhttps:\/\/cards\.example\/forgot\n/);
  }
});

it('sends an operator the decisions that matter, whatever a source calls a card', async () => {
  const { url, mails } = await openMailServer();
  const link = 'https://cards.example/operator/quarantine?show=digest';
  const lines = ['2 prices wait for 1 decision.', '     #1 Card\u001b[31m 1'];
  await createMailer(url, 'cards@shop.example').sendDigest('ann@shop.example', lines, link);
  const body = unfolded(mails[0]?.text ?? '');
  assert.match(body, /\n2 prices wait for 1 decision\.\n/);
  assert.ok(body.includes(`\n${link}\n`), body);
  assert.ok(!body.includes('\u001b'), body);
});

it('notifies an owner of a disabled webhook, without the path of its URL, which may be secret', async () => {
  const { url, mails } = await openMailServer();
  const link = 'https://cards.example/webhooks';
  const webhook = { url: 'https://shop.example/prices/secret', reason: 'answered 410' };
  const mailer = createMailer(url, 'cards@shop.example');
  await mailer.sendWebhookDisabled('ann@shop.example', webhook, link);
  const body = unfolded(mails[0]?.text ?? '');
  assert.match(body, /the account ann@shop\.example:\nhttps:\/\/shop\.example\n/);
  assert.match(body, /its deliveries fail \(answered 410\)/);
  assert.ok(body.includes(`\n${link}`) && !body.includes('secret'), body);
});

it('keeps the network address of an operator from the owner', async () => {
  const { url, mails } = await openMailServer();
  const notice = { kind: 'reset-link-made', at: UNTIL, address: null } as const;
  const mailer = createMailer(url, 'cards@shop.example');
  await mailer.sendNotice('ann@shop.example', notice, 'https://cards.example');
  const body = unfolded(mails[0]?.text ?? '');
  assert.match(body, /on 2026-01-28 13:00 UTC an operator made a link that sets its password\.\n/);
});

it('treats an address that looks like several recipients as one', async () => {
  const { url, mails } = await openMailServer();
  const account = 'x,<victim@shop.example';
  await createMailer(url, 'cards@shop.example')
    .sendReset(account, LINK, UNTIL)
    .catch(() => {});
  assert.ok(!mails.some(({ to }) => to.includes('victim@shop.example')), JSON.stringify(mails));
});

it('sends as the user of the server by default', async () => {
  const { url, mails } = await openMailServer();
  const { host } = new URL(url);
  const mailer = createMailer(`smtp://cards%40shop.example:s3cret@${host}`, '');
  await mailer.sendReset('ann@shop.example', LINK, UNTIL);
  assert.equal(mails[0]?.from, 'cards@shop.example');
});

it('refuses settings without a sender', () => {
  for (const url of ['smtp://mail.example', 'smtps://cards:s3cret@mail.example']) {
    assert.throws(
      () => createMailer(url, ''),
      (error: unknown) =>
        error instanceof OperatorError &&
        /CARDPRICE_MAIL_FROM/.test(error.message) &&
        !/s3cret/.test(error.message),
    );
  }
});

it('rejects when the server refuses the address or cannot be reached', async () => {
  const { url } = await openMailServer();
  const mailer = createMailer(url, 'cards@shop.example');
  await assert.rejects(mailer.sendReset('nobody@shop.example', LINK, UNTIL), /no such user/);
  const nowhere = createMailer('smtp://127.0.0.1:1', 'cards@shop.example');
  await assert.rejects(nowhere.sendReset('ann@shop.example', LINK, UNTIL), /ECONNREFUSED/);
});

describe('Mail to another machine', () => {
  /** The server of a test by an address that is not one of loopback, yet leads there. */
  const elsewhere = (url: string) => url.replace('127.0.0.1', '0.0.0.0');

  it('is not sent without TLS, and neither is the password of the server', async () => {
    const { url, mails } = await openMailServer();
    for (const server of [elsewhere(url), elsewhere(url).replace('//', '//cards:s3cret@')]) {
      const mailer = createMailer(server, 'cards@shop.example');
      await assert.rejects(mailer.sendReset('ann@shop.example', LINK, UNTIL), /STARTTLS/);
    }
    assert.deepEqual(mails, []);
  });

  it('is sent without TLS where the operator says so', async () => {
    const { url, mails } = await openMailServer();
    const mailer = createMailer(`${elsewhere(url)}?requireTLS=false`, 'cards@shop.example');
    await mailer.sendReset('ann@shop.example', LINK, UNTIL);
    assert.equal(mails.length, 1);
  });
});

it('has only its own headers, whatever the address of the account', async () => {
  const { url, mails } = await openMailServer();
  const mailer = createMailer(url, 'cards@shop.example');
  for (const to of [
    'ann@shop.example\r\nBcc: victim@shop.example',
    'ann@shop.example>\r\nRCPT TO:<victim@shop.example',
    'ann@shop.example, victim@shop.example',
  ]) {
    await mailer.sendReset(to, LINK, UNTIL).catch(() => {});
  }
  for (const mail of mails) {
    assert.ok(!mail.to.includes('victim@shop.example'), JSON.stringify(mail.to));
    assert.doesNotMatch(mail.text.split('\r\n\r\n')[0] ?? '', /^(Bcc|RCPT)/im);
  }
});

/** The body of a mail, as its reader sees it. */
function unfolded(text: string): string {
  const body = text.slice(text.indexOf('\r\n\r\n')).replaceAll('\r\n', '\n');
  if (!/^Content-Transfer-Encoding: quoted-printable/im.test(text)) return body;
  return body
    .replaceAll('=\n', '')
    .replace(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
