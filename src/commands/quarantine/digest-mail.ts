import { operatorEmails } from '../../accounts/account-sql.ts';
import type { Config } from '../../config/config.ts';
import { createMailer } from '../../dashboard/mail.ts';
import { PAGES } from '../../dashboard/pages.ts';
import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { DIGEST_SIZE, readDigest } from '../../operator/quarantine.ts';
import type { Store } from '../../store/connect.ts';
import { digestLines } from './digest-text.ts';

/**
 * Mails every operator the most important pending decisions. Sends nothing if there are none.
 * Returns the number of sent mails.
 * @throws OperatorError without a mail server or a public URL.
 */
export async function mailDigest(
  store: Store,
  { smtp, mailFrom, publicUrl }: Pick<Config, 'smtp' | 'mailFrom' | 'publicUrl'>,
  at: Millis,
): Promise<number> {
  if (smtp === '' || publicUrl === '') {
    throw new OperatorError('Mail needs CARDPRICE_SMTP and CARDPRICE_URL.');
  }
  const digest = await readDigest(store, DIGEST_SIZE, at);
  if (digest.count === 0) return 0;
  const mailer = createMailer(smtp, mailFrom);
  const link = `${publicUrl}${PAGES.quarantine}?show=digest`;
  const operators = await operatorEmails(store.accounts.db);
  for (const to of operators) await mailer.sendDigest(to, digestLines(digest), link);
  return operators.length;
}
