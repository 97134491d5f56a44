import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Unsubscribing } from '../accounts/alerts/unsubscribing.ts';
import { ApiError } from '../domain/errors.ts';
import { errorHandler } from '../http/errors.ts';
import type { Store } from '../store/connect.ts';
import { PAGES } from './pages.ts';

const Query = Type.Object({
  token: Type.String({ maxLength: 100 }),
  scope: Type.Optional(Type.String({ enum: ['all'] })),
});

/**
 * Ends mails of alerts, without a session, at the address given in a mail (RFC 8058). The body
 * repeats only what the address contains. A GET of the address shows a page and changes nothing.
 */
export async function serveUnsubscribe(app: FastifyInstance, store: Store): Promise<void> {
  const unsubscribing = new Unsubscribing(store);
  app.setErrorHandler(errorHandler('standard'));
  // A form in either encoding.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
  app.post<{ Querystring: { token: string; scope?: string } }>(
    PAGES.unsubscribe,
    { schema: { querystring: Query, hide: true } },
    async ({ query: { token, scope } }) => {
      const isValid = await unsubscribing.end(token, scope === 'all');
      if (!isValid) throw new ApiError('NOT_FOUND', UNKNOWN);
      return { data: {} };
    },
  );
}

const UNKNOWN =
  'This link is not one of this service. Sign in and turn the mails off on the page Alerts.';
