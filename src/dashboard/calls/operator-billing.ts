import { listWaiting } from '../../accounts/billing/waiting.ts';
import { Many } from '../../http/schemas.ts';
import { BillingEventView } from '../operator-schemas.ts';
import { defineRoute } from '../route.ts';

/** Lists the events for billing that wait to be sent, or were given up. */
export const waiting = defineRoute({
  method: 'GET',
  path: '/operator/billing',
  access: 'operator',
  audit: null,
  schema: { response: { 200: Many(BillingEventView, 'The oldest first, 1,000 at most.') } },
  async handle({ store }) {
    return { data: await listWaiting(store) };
  },
});
