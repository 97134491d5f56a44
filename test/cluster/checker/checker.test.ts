import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Reading } from '../reading.ts';
import type { Answer, RunRecord } from '../record.ts';
import type { Kind } from '../run/kinds.ts';
import { CHECKS } from './index.ts';
import {
  answer,
  BEGUN,
  broken,
  byOperator,
  CARD,
  failure,
  fault,
  HISTORY,
  message,
  page,
  RESET,
  RIGHT,
  sighting,
} from './right-record.ts';

const withAnswers = (...more: Answer[]): Partial<RunRecord> => ({
  answers: [...RIGHT.answers, ...more],
});
const withReading = (reading: Partial<Reading>, more: Partial<Answer> = {}) => ({
  ...withAnswers(answer(33, { digest: 'wrong', ...more })),
  readings: new Map([...RIGHT.readings, ['wrong', { ...CARD, ...reading }]]),
});
/** With one fault, and what fails after it. */
const failingAfter = (name: Kind, ...more: Answer[]) => ({
  faults: [fault(name, 10.5, 15)],
  ...withAnswers(...more),
});
/** Charges fail until half a minute after a fault, and a second. */
const late = (name: Kind) => ({
  faults: [fault(name, 2, 30)],
  ...withAnswers(failure(33, 503)),
});
const used = (count: number) => ({ endUsage: [{ account: 'ann', reset: RESET, used: count }] });
/** Without an answer between two seconds of the run. */
const without = (kind: Answer['kind'], from: number, to: number) => ({
  answers: RIGHT.answers.filter(({ kind: one, received }) => {
    return one !== kind || received <= BEGUN + from * 1000 || received >= BEGUN + to * 1000;
  }),
});

/** With the answers of a kind that came between two seconds of the run only at the second one. */
const held = (kind: Answer['kind'], from: number, to: number) => {
  const [begin, end] = [BEGUN + from * 1000, BEGUN + to * 1000];
  const answers = RIGHT.answers.map((one) => {
    const isHeld = one.kind === kind && one.received > begin && one.received < end;
    return isHeld ? { ...one, received: end } : one;
  });
  return { answers };
};

/** A publication that would be the last. */
const LAST = { revision: 9, id: 'c', predecessor: 'b', published: 38 };

/** Faults planted in the record, by the promise that they break, each with its sentence. */
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
    'a charge is',
    withAnswers(answer(33, { reset: RESET + 86_400 })),
    /request-33 of ann was charged of the day until 2026-11-24/,
  ],
  ['a charge is', withAnswers(answer(33, { reset: null })), /request-33 .* of no day/],
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
    'no acknowledged key',
    { endKeys: RIGHT.endKeys.map((key) => ({ ...key, hash: 'another' })) },
    /key-1 of ann was made, and its id is of a key of ann/,
  ],
  [
    'no acknowledged key',
    { endKeys: RIGHT.endKeys.map((key) => ({ ...key, account: 'bob' })) },
    /key-1 of ann was made, and its id is of a key of bob/,
  ],
  [
    'no acknowledged revocation',
    { endKeys: RIGHT.endKeys.map((key) => ({ ...key, isRevoked: false })) },
    /key-2 of ann was revoked, and works again/,
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
    { endImports: RIGHT.endImports.slice(1) },
    /publication 1 was acknowledged, and the database has no import of it/,
  ],
  [
    'no acknowledged publication',
    { endPublications: RIGHT.endPublications.filter(({ id }) => id !== 'a') },
    /publication 1 was acknowledged, and the database has 0 revisions of it/,
  ],
  [
    'no acknowledged publication',
    { endPublications: [...RIGHT.endPublications, { ...LAST, revision: 10, published: 27 }] },
    /publication 2 was acknowledged, and the database has 2 revisions/,
  ],
  [
    'no acknowledged publication',
    { endPublications: [...RIGHT.endPublications, { ...LAST, revision: 10, published: 39 }] },
    /nobody asked for revision 10/,
  ],
  [
    'publications follow',
    { endPublications: [...RIGHT.endPublications.slice(0, 3), { ...LAST, predecessor: 'a' }] },
    /revision 9 does not follow revision 8/,
  ],
  [
    'publications follow',
    { endPublications: RIGHT.endPublications.filter(({ id }) => id !== 'a') },
    /revision 8 does not follow revision 6/,
  ],
  [
    'webhooks get',
    { messages: RIGHT.messages.filter(({ isAccepted }) => !isAccepted) },
    /publication 2 was served, and no webhook got it/,
  ],
  ['an event', { messages: [...RIGHT.messages, message('b_1', 7, true)] }, /b_1 has two contents/],
  ['an event', { messages: [...RIGHT.messages, message('a_1', 8, true)] }, /b_1 and a_1 have the/],
  [
    'all nodes end',
    { sightings: [...RIGHT.sightings, sighting(39.5, 1)] },
    /node-1 served publication 1 at the end, and publication 2 was acknowledged/,
  ],
  [
    'every body',
    withReading({ flaw: 'it is of the publications 1, 2' }),
    /request-33 .* is not one publication: it is of the publications 1, 2/,
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
    'the cluster',
    { faults: [{ ...fault('kill-node', 10, 42), healing: BEGUN + 11_000 }] },
    /the healing of kill-node took 31.0 s, more than 30.0 s/,
  ],
  ['nothing fails', withAnswers(failure(9, 503)), /1 × a 503 without a fault of card/],
  ['nothing fails', withAnswers(page(25, 503)), /a 503 without a fault of \/docs/],
  ['nothing fails', withAnswers(byOperator(25, 503)), /a 503 without a fault of make-key/],
  ['every request', withAnswers(broken(12)), /1 × no answer of card, .* request-12/],
  ['every request', withAnswers(broken(20.5)), /1 × no answer of card, .* request-20.5/],
  [
    'a lost primary',
    { faults: [{ ...fault('kill-node', 10, 40), primaries: ['one', 'other'] }] },
    /other and not one is the primary after kill-node/,
  ],
  [
    'a lost primary',
    { faults: [{ ...fault('pause-postgres', 10, 40), primaries: ['one', 'one'] }] },
    /one is still the primary after pause-postgres/,
  ],
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
  ['charging comes', failingAfter('kill-standby', failure(31, 503)), /kill-standby .* 20.5 s/],
  ['charging comes', withAnswers(failure(24, 503)), /after kill-node .* 7.5 s, more than 3.0 s/],
  ['charging comes', late('kill-primary'), /after kill-primary .* failed for 31.0 s, .* 30.0 s/],
  [
    'charging comes',
    late('pause-postgres'),
    /after pause-postgres .* failed for 31.0 s, .* 30.0 s/,
  ],
  [
    'operators are',
    failingAfter('kill-postmaster', byOperator(31, 503)),
    /after kill-postmaster .* operators failed for 20.5 s, more than 10.0 s/,
  ],
  [
    'charging comes',
    { faults: [fault('cut-proxy', 10.5, 15)], ...withAnswers(failure(31, 503)) },
    /after cut-proxy .* failed for 19.5 s, more than 10.0 s/,
  ],
  [
    'charged reads',
    { ...held('read', 16.5, 23), faults: [fault('kill-node', 16.5, 23)] },
    /no charged answer came for 6.4 s of kill-node/,
  ],
  [
    'harmless faults',
    { faults: [fault('deploy', 10.5, 15)] },
    /1 × a 503 of card, the first is request-11 of node-1, after deploy/,
  ],
  [
    'harmless faults',
    { faults: [fault('clock-node', 11.5, 15)] },
    /1 × a 503 of make-key, the first is request-12 of node-1, after clock-node/,
  ],
  [
    'nobody waits',
    withAnswers({ ...answer(33), sent: BEGUN + 29_900 }),
    /1 × 3.1 s of waiting for of card, .* request-33 .*, after kill-node/,
  ],
  ['what needs', held('open', 10, 21), /no page without a database came for 9.0 s/],
  ['what needs', withAnswers(page(12, 503)), /1 × a 503 of \/docs, the first is request-12/],
  ['what needs', withAnswers(page(12, null)), /1 × no answer of \/docs/],
];

describe('the checker of a cluster', () => {
  it('takes no time for a pause in which nobody waits', () => {
    const [check] = CHECKS.filter(({ promise }) => promise.startsWith('what needs'));
    const quiet = { ...RIGHT, ...without('open', 10, 18) };
    assert.deepEqual(check?.violations(quiet), []);
    const hanging = { ...answer(19, { kind: 'open' }), sent: BEGUN + 7900 };
    const [violation] = check?.violations({ ...quiet, answers: [...quiet.answers, hanging] }) ?? [];
    assert.match(violation ?? '', /no page without a database came for 11.0 s/);
  });

  for (const { promise, violations } of CHECKS) {
    it(`accepts a record in which ${promise}`, () => {
      assert.deepEqual(violations(RIGHT), []);
    });
  }

  it('accepts that an import was repeated after its first try had published', () => {
    const check = CHECKS.find(({ promise }) => promise === 'no acknowledged publication is lost');
    const tries = [
      { started: 20, finished: null, observedAt: null },
      { started: 28.5, finished: 29, observedAt: 2000 },
    ];
    const endImports = [...RIGHT.endImports.slice(0, 1), ...tries, ...RIGHT.endImports.slice(2)];
    assert.deepEqual(check?.violations({ ...RIGHT, endImports }), []);
  });

  it('accepts that a revoked key is forgotten when its account has 50 others', () => {
    const check = CHECKS.find(({ promise }) => promise === 'no acknowledged key is lost');
    const others = Array.from({ length: 50 }, (_, at) => {
      return { id: `other-${at}`, hash: '', account: 'ann', isRevoked: true };
    });
    const endKeys = [...RIGHT.endKeys.filter(({ id }) => id !== 'key-2'), ...others];
    assert.deepEqual(check?.violations({ ...RIGHT, endKeys }), []);
    const fewer = endKeys.slice(0, -2);
    assert.match(String(check?.violations({ ...RIGHT, endKeys: fewer })), /key-2 .* is lost/);
  });

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
