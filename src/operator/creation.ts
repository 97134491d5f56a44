import type { FastifyRequest } from 'fastify';
import type { RepeatableRequest, Replays } from '../accounts/replays.ts';
import { invalidParameter } from '../http/errors.ts';
import type { Store } from '../store/connect.ts';
import type { Call, CallRequest } from './call.ts';

/** What every call that creates needs. */
interface CreatingServices<Services> {
  readonly replays: Replays;
  within(store: Store): Services;
}

/** The name of the header in answers that repeat an earlier one. */
const REPLAYED = 'idempotency-replayed';

const KEY = /^[!-~]{16,128}$/;

/**
 * Runs the handler of a call. If the call creates something, the handler runs in a transaction, and
 * a request that repeats an `Idempotency-Key` gets the earlier answer
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export async function perform<
  Services extends CreatingServices<Services>,
  Sender extends { readonly accountId: number },
>(call: Call<Services, Sender>, services: Services, sent: CallRequest<Sender>): Promise<unknown> {
  if (!call.creates) return call.handle(services, sent, undefined);
  const { answer, isReplay } = await services.replays.run(repeatable(sent), {
    prepare: () => call.prepare?.(services, sent),
    create: (store, prepared) => call.handle(services.within(store), sent, prepared),
  });
  sent.request.isReplay = isReplay;
  if (isReplay) sent.reply.header(REPLAYED, 'true');
  return answer;
}

/** Returns what identifies a request with an `Idempotency-Key`; undefined for one without. */
function repeatable({
  request,
  session: { accountId },
}: CallRequest<{ readonly accountId: number }>): RepeatableRequest | undefined {
  const key = keyOf(request);
  if (key === undefined) return undefined;
  const { caller, method, url, body = null } = request;
  const sender = caller ? `key ${caller.keyId}` : `account ${accountId}`;
  return { sender, accountId, key, content: JSON.stringify([method, url, body]) };
}

/** @throws ApiError INVALID_PARAMETER if the header is not one long word. */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || (typeof key === 'string' && KEY.test(key))) return key;
  throw invalidParameter(
    'Idempotency-Key',
    'it must have 16 to 128 visible characters, such as a random UUID.',
  );
}
