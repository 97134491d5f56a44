import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Reading, readBody } from '../reading.ts';
import type { Answer, RunRecord } from '../record.ts';
import { CHECKS } from './index.ts';

/** The end of a day; the run is in the middle of it. */
const RESET = 1_795_392_000;
const BEGUN = RESET * 1000 - 43_200_000;

const CARD: Reading = {
  ...{ publication: 1, cents: 1, mixture: null },
  cards: [['mtg Amberwing Wanderer', 'mtg-hbr-amberwing-wanderer-k0-001']],
};
const NEXT_CARD = { ...CARD, publication: 2, cents: 2 };
const HISTORY = { ...CARD, publication: null, cards: [] };

/** An answer that came at a second of the run, 10 ms after it was asked for. */
function answer(second: number, changes: Partial<Answer> = {}): Answer {
  const received = BEGUN + second * 1000;
  return {
    ...{ id: `request-${second}`, sent: received - 10, received, kind: 'read', endpoint: 'card' },
    ...{ account: 'ann', key: 'key-1', status: 200, node: 'node-1', limit: 100, reset: RESET },
    ...{ remaining: 100 - second, hasRetryAfter: false, digest: 'card-1' },
    ...changes,
  };
}

const failure = (second: number, status: number | null) =>
  answer(second, { status, remaining: null, limit: null, digest: null, hasRetryAfter: true });

/** A run of 40 s in which everything was right: a postmaster and a node were killed. */
const RIGHT: RunRecord = {
  begun: BEGUN,
  ended: BEGUN + 40_000,
  answers: [
    ...Array.from({ length: 10 }, (_, index) => answer(index + 1)),
    ...[failure(11, 503), failure(12, null), answer(13), answer(14), answer(16)],
    ...[answer(21, { digest: 'card-2' }), answer(22, { digest: 'history-2' })],
    ...[
      answer(30, { node: 'node-2' }),
      answer(34, { node: 'node-2' }),
      answer(38, { node: 'node-2' }),
    ],
    ...[answer(39, { status: 429, remaining: 0, digest: null })],
    answer(25, { key: 'key-2', status: 401, limit: 0, remaining: 0, digest: null }),
    ...Array.from({ length: 10 }, (_, index) =>
      answer(4 * index, { kind: 'open', limit: null, digest: null }),
    ),
  ],
  readings: new Map([
    ...([
      ['card-1', CARD],
      ['card-2', NEXT_CARD],
    ] as const),
    ...([['history-2', { ...HISTORY, cents: 2 }]] as const),
  ]),
  keys: [
    { id: 'key-1', account: 'ann', made: attempt(0), revoked: null },
    { id: 'key-2', account: 'ann', made: attempt(1), revoked: attempt(23) },
    { id: 'key-3', account: 'ann', made: attempt(2), revoked: { sent: BEGUN, acknowledged: null } },
  ],
  publications: [
    { number: 1, ...attempt(0) },
    { number: 2, ...attempt(20) },
    { number: 3, sent: BEGUN + 38_000, acknowledged: null },
  ],
  faults: [fault('kill-postmaster', 10.5, 15), fault('kill-node', 16.5, 19)],
  troubles: [],
  sightings: [sighting(5, 1), sighting(12, null), sighting(22, 2), sighting(39, 2)],
  quotas: new Map([['ann', 100]]),
  endUsage: [{ account: 'ann', reset: RESET, used: 19 }],
  endKeys: [
    { id: 'key-1', isRevoked: false },
    { id: 'key-2', isRevoked: true },
    { id: 'key-3', isRevoked: true },
  ],
};

function attempt(second: number) {
  return { sent: BEGUN + second * 1000 - 20, acknowledged: BEGUN + second * 1000 };
}

/** A fault of which healing began a second after it. */
function fault(name: string, begun: number, healed: number) {
  const at = (second: number) => BEGUN + second * 1000;
  return {
    name,
    told: `did ${name}`,
    begun: at(begun),
    healing: at(begun + 1),
    healed: at(healed),
  };
}

function sighting(second: number, publication: number | null) {
  const sent = BEGUN + second * 1000;
  return { node: 'node-1', sent, received: sent + 5, publication };
}

const withAnswers = (...more: Answer[]): Partial<RunRecord> => ({
  answers: [...RIGHT.answers, ...more],
});
const withReading = (reading: Partial<Reading>, more: Partial<Answer> = {}) => ({
  ...withAnswers(answer(33, { digest: 'wrong', ...more })),
  readings: new Map([...RIGHT.readings, ['wrong', { ...CARD, ...reading }]]),
});
const used = (count: number) => ({ endUsage: [{ account: 'ann', reset: RESET, used: count }] });
/** Without an answer between two seconds of the run. */
const without = (kind: Answer['kind'], from: number, to: number) => ({
  answers: RIGHT.answers.filter(({ kind: one, received }) => {
    return one !== kind || received <= BEGUN + from * 1000 || received >= BEGUN + to * 1000;
  }),
});

/** What is planted in the record, by the promise that it breaks; each with the sentence for it. */
const PLANTED: readonly [promise: string, planted: Partial<RunRecord>, sentence: RegExp][] = [
  ['usage is', used(17), /ann got 18 charged answers and 2 of unknown fate, .* counts 17/],
  ['usage is', used(21), /counts 21/],
  ['usage is', { endUsage: [] }, /counts 0/],
  [
    'no account gets',
    { quotas: new Map([['ann', 18]]), ...used(19) },
    /ann was charged 19 .* of 18/,
  ],
  ['no account gets', { quotas: new Map([['ann', 17]]) }, /ann got 18 requests of 17/],
  ['what is left', withAnswers(answer(33, { remaining: 71 })), /request-33 .* 71 .* said 70/],
  ['each charge', withAnswers(answer(33, { remaining: 90 })), /request-10 and request-33 .* 90/],
  [
    'only used-up',
    withAnswers(answer(35, { status: 429, remaining: 4, digest: null })),
    /request-35 of ann is a 429 with 4 left/,
  ],
  [
    'no acknowledged key',
    { endKeys: RIGHT.endKeys.slice(1) },
    /key-1 of ann was made, and is lost/,
  ],
  [
    'no acknowledged revocation',
    { endKeys: RIGHT.endKeys.map((key) => ({ ...key, isRevoked: false })) },
    /key-2 of ann was revoked, and is not any more/,
  ],
  [
    'no acknowledged revocation',
    { endKeys: RIGHT.endKeys.map((key) => ({ ...key, isRevoked: true })) },
    /key-1 of ann is revoked, and nobody asked for it/,
  ],
  ['keys work', withAnswers(answer(33, { status: 401, digest: null })), /request-33 .* key-1/],
  ['revoked keys', withAnswers(answer(33, { key: 'key-2' })), /request-33 .* is a 200 .* key-2/],
  [
    'no acknowledged publication',
    { sightings: [...RIGHT.sightings, sighting(39.5, 1)] },
    /node-1 served publication 1 at the end, and publication 2 was acknowledged/,
  ],
  [
    'every body',
    withReading({ mixture: 'it is of the publications 1, 2' }),
    /request-33 .* mixture/,
  ],
  [
    'every body',
    { sightings: [...RIGHT.sightings, sighting(39.5, 1.75)] },
    /node-1 says to serve as many cards as publication 1.75/,
  ],
  ['only what', withReading({ publication: 4, cents: 4 }), /request-33 .* publication 4/],
  ['only what', withReading({ ...HISTORY, cents: 4 }), /request-33 .* prices that end in 4/],
  ['no node goes back', withAnswers(answer(33)), /request-33 shows publication 1, after .* 2/],
  ['no history', withReading({ ...HISTORY, cents: 1 }), /request-33 .* 1 cents, after .* 2/],
  [
    'all nodes agree',
    { sightings: [...RIGHT.sightings.slice(0, 3), sighting(28, 1), sighting(39, 2)] },
    /node-1 served publication 1 28.0 s into the run/,
  ],
  [
    'all nodes agree',
    { sightings: [sighting(5, null), sighting(39, 2)] },
    /node-1 was not ready 5.0/,
  ],
  [
    'ids never',
    withReading({ cards: [['mtg Amberwing Wanderer', 'mtg-other']] }),
    /Amberwing Wanderer has the ids .* and mtg-other/,
  ],
  [
    'ids never',
    withReading({ cards: [['mtg Azurewing Seer', 'mtg-hbr-amberwing-wanderer-k0-001']] }),
    /-001 is of the cards mtg Amberwing Wanderer and mtg Azurewing Seer/,
  ],
  ['failures are', withAnswers(failure(33, 500)), /1 × a 500 of card, .* request-33/],
  ['failures are', withAnswers(failure(33, 502)), /a 502/],
  [
    'failures are',
    withAnswers({ ...failure(33, 503), hasRetryAfter: false }),
    /a 503 without Retry-After/,
  ],
  ['nothing that', withAnswers(failure(33, 404)), /a 404 of card/],
  ['the cluster', { troubles: ['kill-node: node-2 is not ready.'] }, /kill-node: node-2 is not/],
  [
    'charging comes',
    { faults: RIGHT.faults.slice(0, 1), ...withAnswers(failure(31, 503)) },
    /after kill-postmaster \(did kill-postmaster\) charges failed for 20.5 s, more than 10.0 s/,
  ],
  [
    'charging comes',
    { faults: RIGHT.faults.slice(0, 1), ...without('read', 10, 21) },
    /after kill-postmaster .* failed for 10.5 s/,
  ],
  [
    'charging comes',
    { faults: [fault('cut-proxy', 10.5, 15)], ...withAnswers(failure(31, 503)) },
    /after cut-proxy .* failed for 19.5 s, more than 10.0 s/,
  ],
  [
    'charged reads',
    { ...without('read', 16, 23), faults: [fault('kill-node', 16.5, 23)] },
    /no charged answer came for 6.5 s of kill-node/,
  ],
  [
    'harmless faults',
    { faults: [fault('rolling-deploy', 10.5, 15)] },
    /1 × no answer of card, the first is request-12 of node-1, after rolling-deploy/,
  ],
  ['what needs', without('open', 10, 18), /was answered for 12.0 s/],
];

describe('the checker of a cluster', () => {
  for (const { promise, violations } of CHECKS) {
    it(`accepts a record in which ${promise}`, () => {
      assert.deepEqual(violations(RIGHT), []);
    });
  }

  for (const [start, planted, sentence] of PLANTED) {
    it(`refuses a record with ${sentence.source}`, () => {
      const check = CHECKS.find(({ promise }) => promise.startsWith(start));
      assert.match(check?.violations({ ...RIGHT, ...planted }).join('\n') ?? '', sentence);
    });
  }

  it('has a planted fault for each of its checks', () => {
    const missing = CHECKS.filter(({ promise }) => {
      return !PLANTED.some(([start]) => promise.startsWith(start));
    });
    assert.deepEqual(missing, []);
  });
});

describe('the reading of a body', () => {
  const card = (number: number, cents: number) => ({
    ...{ id: 'mtg-hbr-amberwing-wanderer-k0-001', name: `Amberwing Wanderer K${number}` },
    ...{ game: 'mtg', set: `Harbour K${number}`, prices: { market: 60 + cents / 100, low: null } },
  });
  const mixtureOf = (endpoint: string, body: object) => readBody(endpoint, body).mixture;

  it('tells the publication, the prices and the cards', () => {
    assert.deepEqual(readBody('search', { data: [card(117, 17)], total: 1 }), {
      ...{ publication: 117, cents: 17, mixture: null },
      cards: [['mtg Amberwing Wanderer', 'mtg-hbr-amberwing-wanderer-k0-001']],
    });
  });

  it('finds mixtures of names, of prices, and of names and prices', () => {
    assert.match(mixtureOf('search', { data: [card(1, 1), card(2, 1)] }) ?? '', /1, 2/);
    assert.match(mixtureOf('batch', { data: [card(1, 1), card(1, 2)] }) ?? '', /1, 2 cents/);
    assert.match(mixtureOf('card', { data: card(1, 2) }) ?? '', /publication 1, .* 2 cents/);
    assert.match(mixtureOf('card', { data: { ...card(1, 1), set: 'Harbour K2' } }) ?? '', /1, 2/);
  });

  it('finds mixtures in counts and in the values of sets', () => {
    const set = (cardCount: number, value: number) => ({ name: 'Harbour K1', cardCount, value });
    assert.equal(mixtureOf('sets', { data: [set(31, 2983.31)] }), null);
    assert.match(mixtureOf('sets', { data: [set(32, 2983.31)] }) ?? '', /1, 2/);
    assert.match(mixtureOf('sets', { data: [set(31, 2983.3)] }) ?? '', /2983.3 is not the value/);
    assert.match(
      mixtureOf('games', { data: [{ cardCount: 31 }, { cardCount: 32 }] }) ?? '',
      /1, 2/,
    );
    assert.match(mixtureOf('set-cards', { data: [card(1, 1)], total: 32 }) ?? '', /1, 2/);
  });

  it('reads the newest day of a history alone', () => {
    const history = [
      { date: '2026-11-21', market: 50 },
      { date: '2026-11-22', market: 60.17 },
    ];
    const reading = readBody('history', { data: { cardId: 'mtg-hbr-x-k0-001', history } });
    assert.deepEqual(reading, { publication: null, cents: 17, mixture: null, cards: [] });
  });
});
