import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importFixtures } from '../support/app.ts';
import { Program, run } from '../support/cli.ts';
import { Collector } from '../support/collector.ts';
import { forEachEngine } from '../support/engines.ts';
import { createKey, freshDatabase } from '../support/prepared.ts';
import { FIXTURE } from '../support/tcgcsv.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SENT_ID = 'proxy-request-0001';
/** From source, where the hook tells prom-client's imports from the program's. */
const WITHOUT = [
  process.execPath,
  ...['--import', './test/support/without-opentelemetry.ts', 'src/main.ts'],
];

forEachEngine((label) => {
  it('have a span of each request with the statements that it ran, and nothing secret', async () => {
    const collector = await Collector.open();
    const database = await freshDatabase(label);
    await importFixtures(database);
    const key = await createKey(database);
    const env = { CARDPRICE_TRACES: collector.url, CARDPRICE_TRUST_PROXY: '127.0.0.1' };
    const program = new Program(['--database', database, 'serve', '--port', '0'], { env });
    const url = await program.listening();
    const headers = {
      traceparent: `00-${TRACE}-${PARENT}-01`,
      'x-request-id': SENT_ID,
      'x-forwarded-for': '203.0.113.9',
    };
    const path = '/v1/cards/pokemon-bs-charizard-004/history';
    const answer = await fetch(`${url}${path}?api_key=${key}`, { headers });
    assert.equal(answer.status, 200);
    await fetch(`${url}/v1/cards/batch`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', traceparent: 'broken' },
      body: JSON.stringify({ ids: ['pokemon-bs-charizard-004'] }),
    });
    program.send('SIGTERM');
    assert.equal((await program.ended()).code, 0);

    const [span] = collector.named('GET /v1/cards/:id/history');
    assert.equal(span?.traceId, TRACE);
    assert.equal(span.parentSpanId, PARENT);
    assert.equal(span.attributes['http.response.status_code'], 200);
    assert.equal(span.attributes['cardprice.request_id'], SENT_ID);
    assert.equal(typeof span.attributes['cardprice.account_id'], 'number');
    const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
    assert.ok(statements.length >= 2, JSON.stringify(collector.spans));
    for (const { traceId, attributes } of statements) {
      assert.equal(traceId, TRACE);
      assert.match(String(attributes['db.system.name']), /^(sqlite|postgresql)$/);
      assert.match(
        String(attributes['db.query.text']),
        /^(select|insert|update|delete|with|begin|commit)\b/i,
      );
    }
    const [batch] = collector.named('POST /v1/cards/batch');
    assert.notEqual(batch?.traceId, TRACE);
    const all = JSON.stringify(collector.spans);
    for (const secret of [key, 'api_key', '203.0.113.9', 'ann@shop.example', 'charizard']) {
      assert.ok(!all.includes(secret), secret);
    }
  });

  it('have a span of an import, with one of each batch of groups below it', async () => {
    const collector = await Collector.open();
    const database = await freshDatabase(label);
    const args = ['import', 'tcgcsv', FIXTURE, '--database', database];
    const { code } = await run(args, { env: { CARDPRICE_TRACES: `${collector.url}/v1/traces` } });
    assert.equal(code, 0);
    const [root] = collector.named('cardprice import');
    const parts = collector.named('import part');
    assert.equal(parts.length, 1, 'the fixture is one batch');
    for (const { parentSpanId, attributes } of parts) {
      assert.equal(parentSpanId, root?.spanId);
      assert.ok(attributes['cardprice.part']);
    }
  });
});

describe('Without OpenTelemetry installed', () => {
  it('a service starts and imports work, because nothing of it is loaded', async () => {
    const database = await freshDatabase('SQLite');
    const imported = await run(['import', 'tcgcsv', FIXTURE, '--database', database], {
      command: WITHOUT,
    });
    assert.equal(imported.code, 0);
    const program = new Program(['--database', database, 'serve', '--port', '0'], {
      command: WITHOUT,
    });
    const url = await program.listening();
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    program.send('SIGTERM');
    assert.equal((await program.ended()).code, 0);
  });

  it('traces are refused in one line that says what to install', async () => {
    const database = await freshDatabase('SQLite');
    for (const command of [
      ['serve', '--port', '0'],
      ['import', 'tcgcsv', FIXTURE],
    ]) {
      const { code, err } = await run([...command, '--database', database], {
        command: WITHOUT,
        env: { CARDPRICE_TRACES: 'http://127.0.0.1:4318' },
      });
      assert.equal(code, 1);
      assert.match(err, /^cardprice: Traces \(CARDPRICE_TRACES\) need packages .+\n$/);
    }
  });
});

it('an unreachable collector does not fail the traced command', async () => {
  const database = await freshDatabase('SQLite');
  const args = ['import', 'tcgcsv', FIXTURE, '--database', database];
  const env = { CARDPRICE_TRACES: 'http://127.0.0.1:9' };
  const { code, err } = await run(args, { env });
  assert.equal(code, 0);
  assert.match(err, /Traces could not be sent/);
});
