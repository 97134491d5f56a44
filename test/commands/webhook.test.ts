import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Program, run as runProgram } from '../support/cli.ts';
import { createMigratedDatabase, type TestDatabase } from '../support/engines.ts';
import { Webhook } from '../support/webhook.ts';

const ANN = 'ann@shop.example';
const URL = 'https://shop.example/prices';

describe('cardprice webhook', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createMigratedDatabase('SQLite');
    await run('account', 'create', '--email', ANN);
  });
  after(() => database.remove());

  const run = (...args: string[]) => {
    return runProgram(args, { env: { CARDPRICE_DATABASE: database.location } });
  };

  it('adds a webhook, shows its secret once, and replaces it', async () => {
    const { out, code } = await run('webhook', 'add', '--account', ANN, '--url', URL);
    assert.equal(code, 0);
    const [secret = ''] = out.split('\n');
    assert.match(secret, /^whsec_[A-Za-z\d+/]{43}=$/);
    const list = await run('webhook', 'list', '--account', ANN, '--json');
    assert.ok(!list.out.includes(secret));
    const [webhook] = JSON.parse(list.out) as object[];
    assert.partialDeepStrictEqual(webhook, {
      id: 1,
      url: URL,
      events: ['prices.published', 'alert.fired'],
      disabledAt: null,
    });
    const replaced = await run('webhook', 'rotate', '1', '--json');
    const { secret: newer } = JSON.parse(replaced.out) as { secret: string };
    assert.match(newer, /^whsec_/);
    assert.notEqual(newer, secret);
  });

  it('sends a test, and lists it as waiting until the service delivers it', async () => {
    await run('webhook', 'test', '1');
    const { out } = await run('webhook', 'deliveries', '1');
    assert.match(out, /^test_[\da-f-]+ +test +\S+Z +waiting +0 +\S+Z/m);
  });

  it('disables a webhook, which then gets no tests, enables it and deletes it', async () => {
    assert.match((await run('webhook', 'disable', '1')).out, /^Disabled the webhook 1, https:/);
    const refused = await run('webhook', 'test', '1');
    assert.match(refused.err, /The webhook is disabled\. Enable it first\./);
    assert.equal(refused.code, 1);
    const [event] = JSON.parse((await run('webhook', 'deliveries', '1', '--json')).out) as {
      id: string;
      state: string;
    }[];
    assert.equal(event?.state, 'failed');
    await run('webhook', 'enable', '1');
    await run('webhook', 'resend', '1', event?.id ?? '');
    assert.match((await run('webhook', 'deliveries', '1')).out, / waiting /);
    await run('webhook', 'delete', '1');
    const { err } = await run('webhook', 'test', '1');
    assert.match(err, /There is no webhook with the id "1"/);
  });

  it('lets a serving process send a publication, to the networks that the operator allows', async () => {
    const receiver = await Webhook.open();
    const networks = { CARDPRICE_WEBHOOK_NETWORKS: '127.0.0.0/8' };
    const env = { ...networks, CARDPRICE_DATABASE: database.location };
    const add = ['webhook', 'add', '--account', ANN, '--url', receiver.url, '--json'];
    const { out } = await runProgram(add, { env });
    receiver.secrets = [(JSON.parse(out) as { secret: string }).secret];
    const service = new Program(['serve', '--port', '0'], { env });
    await service.listening();
    const received = new Promise<void>((resolve) => {
      receiver.answer = (response) => {
        response.writeHead(204).end();
        resolve();
      };
    });
    await runProgram(['import', 'tcgcsv', 'test/fixtures/tcgcsv'], { env });
    await received;
    assert.equal((await service.send('SIGTERM').ended()).code, 0);
    receiver.close();
    assert.deepEqual(
      receiver.received.map(({ type, data }) => [type, data.publication]),
      [['prices.published', 1]],
    );
  });

  it('refuses addresses that are not on the internet, and unknown events', async () => {
    const inside = await run('webhook', 'add', '--account', ANN, '--url', 'https://10.0.0.7/');
    assert.match(inside.err, /must be an address of the public internet/);
    const args = ['webhook', 'add', '--account', ANN, '--url', URL, '--events', 'all'];
    assert.equal((await run(...args)).code, 2);
  });
});
