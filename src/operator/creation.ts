import type { Replays } from '../accounts/replays.ts';
import { REPLAYED, repeatable } from '../http/repeatable.ts';
import type { Store } from '../store/connect.ts';
import type { Call, CallRequest } from './call.ts';

/** The dependencies of every call that creates something. */
interface CreatingServices<Services> {
  readonly replays: Replays;
  within(store: Store): Services;
}

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
  const { answer, isReplay } = await services.replays.run(
    repeatable(sent.request, sent.session.accountId),
    {
      prepare: () => call.prepare?.(services, sent),
      create: (store, prepared) => call.handle(services.within(store), sent, prepared),
    },
  );
  sent.request.isReplay = isReplay;
  if (isReplay) sent.reply.header(REPLAYED, 'true');
  return answer;
}
