/**
 * A process that records publications for webhooks and delivers them, as a serving process does.
 * The process that forked it says which ones, and sets its clock. It sends `READY` when it can
 * record more.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebhookDelivery } from '../../../src/accounts/webhooks/delivery.ts';
import { WebhookSender } from '../../../src/accounts/webhooks/sender.ts';
import { insertPublished } from '../../../src/accounts/webhooks/webhook-sql.ts';
import { formatMoment } from '../../../src/domain/day.ts';
import { openStore } from '../../../src/store/connect.ts';
import { READY, type SenderOrder } from './sender-order.ts';

const [, , location = '', firstAt = ''] = process.argv;
const store = await openStore(location, { isMigrating: false });
let aheadMs = 0;
const clock = () => store.clock() + aheadMs;
const delivery = new WebhookDelivery({
  store,
  clock,
  sender: new WebhookSender(['127.0.0.0/8']),
  billing: undefined,
  onFailure: (error) => console.error(error),
  onDisabled: () => {},
});

process.once('disconnect', () => process.exit());
process.on('message', (order: SenderOrder) => {
  aheadMs = order.aheadMs;
  void delivery.look();
  if (order.record) void record(order.record.from, order.record.to);
});
delivery.start();
process.send?.(READY);

async function record(from: number, to: number): Promise<void> {
  for (let publication = from; publication < to; ) {
    const publishedAt = Number(firstAt) + publication;
    const data = { publication, publishedAt: formatMoment(publishedAt), cursor: '', games: [] };
    const published = { id: `p${publication}`, publishedAt };
    try {
      await insertPublished(store.accounts.db, published, data, clock());
      publication += 1;
    } catch (error) {
      console.error(error);
      await sleep(200);
    }
  }
  process.send?.(READY);
}
