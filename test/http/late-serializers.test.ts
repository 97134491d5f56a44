import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { lateSerializers } from '../../src/http/validation.ts';

/** The schema of a card, which notes when somebody reads it. */
function watchedSchema() {
  const watched = { reads: 0 };
  const schema = {
    type: 'object',
    get properties() {
      watched.reads += 1;
      return { name: { type: 'string' }, cents: { type: 'integer' } };
    },
  };
  return { watched, schema };
}

describe('Late serializers', () => {
  it('format responses as Fastify does by itself', async () => {
    const { schema } = watchedSchema();
    const bodies = [];
    for (const compilersFactory of [{ buildSerializer: lateSerializers() }, {}]) {
      const app = Fastify({ schemaController: { compilersFactory } });
      app.get('/card', { schema: { response: { 200: schema } } }, async () => ({
        name: 'Pikachu "25" \u2028',
        cents: 1250,
        secret: 'not in the schema',
      }));
      bodies.push((await app.inject('/card')).body);
    }
    assert.equal(bodies[0], bodies[1]);
    assert.deepEqual(JSON.parse(bodies[0] ?? ''), { name: 'Pikachu "25" \u2028', cents: 1250 });
  });

  it('are compiled for the first response, and once', () => {
    const { watched, schema } = watchedSchema();
    const route = { method: 'GET', url: '/card', httpStatus: '200', schema };
    const serialize = lateSerializers()()(route);
    assert.equal(watched.reads, 0);
    assert.equal(serialize({ name: 'Mew', cents: 5 }), '{"name":"Mew","cents":5}');
    const { reads } = watched;
    assert.ok(reads > 0);
    assert.equal(serialize({ name: 'Muk', cents: 6 }), '{"name":"Muk","cents":6}');
    assert.equal(watched.reads, reads);
  });

  it('are compiled before, once the process is idle', () => {
    const { watched, schema } = watchedSchema();
    const idleWork: (() => void)[] = [];
    const build = lateSerializers((work) => idleWork.push(work));
    const serialize = build()({ method: 'GET', url: '/card', httpStatus: '200', schema });
    for (const work of idleWork) work();
    const { reads } = watched;
    assert.ok(reads > 0);
    assert.equal(serialize({ name: 'Mew', cents: 5 }), '{"name":"Mew","cents":5}');
    assert.equal(watched.reads, reads);
  });
});
