import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { registerAnswerMetrics } from '../../src/http/answer-counts.ts';

const NAME = 'cardprice_http_request_seconds';
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

const REQUEST = { id: 'x', method: 'GET', url: '/', account: undefined, isFlood: false } as const;

describe('The metrics of answers', () => {
  it('time requests as a histogram of prom-client does', async () => {
    const milliseconds = fc.oneof(
      fc.double({ min: 0, max: 6000, noNaN: true }),
      fc.constantFrom(...BUCKETS.map((seconds) => seconds * 1000)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(milliseconds), async (durations) => {
        const [ours, theirs] = [new Registry(), new Registry()];
        const count = registerAnswerMetrics(ours);
        const help = 'Seconds from the arrival of a request to the end of its answer.';
        const histogram = new Histogram({
          name: NAME,
          help,
          buckets: BUCKETS,
          registers: [theirs],
        });
        for (const ms of durations) {
          count({ ...REQUEST, route: '/v1/games', status: 200, ms });
          histogram.observe(ms / 1000);
        }
        const text = theirs.getSingleMetricAsString(NAME);
        assert.equal(await ours.getSingleMetricAsString(NAME), await text);
        // As workers send them to their supervisor.
        const [sent] = await ours.getMetricsAsJSON();
        const [expected] = await theirs.getMetricsAsJSON();
        assert.deepEqual(withoutExemplars(sent), withoutExemplars(expected));
      }),
    );
  });
});

/** Exemplars are not used: prom-client gives each bucket an empty one. */
function withoutExemplars(metric: unknown): unknown {
  const text = JSON.stringify(metric, (name, value) => (name === 'exemplar' ? undefined : value));
  return JSON.parse(text);
}
