import type { Reading } from '../reading.ts';
import type { Answer, RunRecord } from '../record.ts';
import { boundOf, type Kind } from '../run/kinds.ts';

/** The record of a run in which everything was right, and the parts that records are made of. */

/** The end of a day; the run is in the middle of it. */
export const RESET = 1_795_392_000;
export const BEGUN = RESET * 1000 - 43_200_000;

export const CARD: Reading = {
  publication: 1,
  cents: 1,
  flaw: null,
  cards: [['mtg Amberwing Wanderer', 'mtg-hbr-amberwing-wanderer-k0-001']],
};
const NEXT_CARD = { ...CARD, publication: 2, cents: 2 };
export const HISTORY = { ...CARD, publication: null, cards: [] };

/** An answer that came at a second of the run, 10 ms after it was asked for. */
export function answer(second: number, changes: Partial<Answer> = {}): Answer {
  const received = BEGUN + second * 1000;
  return {
    id: `request-${second}`,
    sent: received - 10,
    received,
    kind: 'read',
    endpoint: 'card',
    account: 'ann',
    key: 'key-1',
    status: 200,
    node: 'node-1',
    limit: 100,
    reset: RESET,
    remaining: 100 - second,
    hasRetryAfter: false,
    digest: 'card-1',
    ...changes,
  };
}

export const failure = (second: number, status: number | null) =>
  answer(second, { status, remaining: null, limit: null, digest: null, hasRetryAfter: true });

/** What became of a request that a node had when it was killed. */
export const broken = (second: number) => ({ ...failure(second, null), hasRetryAfter: false });
export const page = (second: number, status: number | null) => {
  return { ...failure(second, status), kind: 'open', endpoint: '/docs' } as const;
};
export const byOperator = (second: number, status: number) => {
  const own = { kind: 'operator', endpoint: 'make-key', account: 'olga' } as const;
  return { ...failure(second, status), ...own };
};

/** A run of 40 s in which everything was right: a postmaster and a node were killed. */
export const RIGHT: RunRecord = {
  begun: BEGUN,
  ended: BEGUN + 40_000,
  answers: [
    ...Array.from({ length: 10 }, (_, index) => answer(index + 1)),
    ...[failure(11, 503), byOperator(12, 503), answer(13), answer(14), answer(16)],
    ...[broken(16.6), answer(21, { digest: 'card-2' }), answer(22, { digest: 'history-2' })],
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
    { ...key('key-1'), made: attempt(0), revoked: null },
    { ...key('key-2'), made: attempt(1), revoked: attempt(23) },
    { ...key('key-3'), made: attempt(2), revoked: { sent: BEGUN, acknowledged: null } },
  ],
  publications: [
    { number: 1, observedAt: 1000, ...attempt(0) },
    { number: 2, observedAt: 2000, ...attempt(20) },
    { number: 3, observedAt: 3000, sent: BEGUN + 38_000, acknowledged: null },
  ],
  faults: [fault('kill-postmaster', 10.5, 15), fault('kill-node', 16.5, 19)],
  troubles: [],
  sightings: [sighting(5, 1), sighting(12, null), sighting(22, 2), sighting(39, 2)],
  messages: [message('c_1', 9, false), message('b_1', 8, false), message('b_1', 8, true)],
  quotas: new Map([['ann', 100]]),
  endUsage: [{ account: 'ann', reset: RESET, used: 19 }],
  endKeys: [
    { ...key('key-1'), isRevoked: false },
    { ...key('key-2'), isRevoked: true },
    { ...key('key-3'), isRevoked: true },
  ],
  // The clock of the database is another one.
  endImports: [
    { started: 10, finished: 19, observedAt: 1000 },
    { started: 20, finished: 29, observedAt: 2000 },
    { started: 30, finished: null, observedAt: null },
  ],
  endPublications: [
    { revision: 6, id: 'x', predecessor: null, published: 5 },
    { revision: 7, id: 'a', predecessor: 'x', published: 18 },
    { revision: 8, id: 'b', predecessor: 'a', published: 28 },
    { revision: 9, id: 'c', predecessor: 'b', published: 38 },
  ],
};

function key(id: string) {
  return { id, hash: `hash of ${id}`, account: 'ann' };
}

function attempt(second: number) {
  return { sent: BEGUN + second * 1000 - 20, acknowledged: BEGUN + second * 1000 };
}

/** A fault whose healing began a second later. */
export function fault(name: Kind, begun: number, healed: number) {
  const at = (second: number) => BEGUN + second * 1000;
  return {
    name,
    told: `did ${name}`,
    primaries: primariesOf(name),
    begun: at(begun),
    healing: at(begun + 1),
    healed: at(healed),
  };
}

function primariesOf(name: Kind): [string, string] {
  return ['one', boundOf(name).primary === 'replaced' ? 'other' : 'one'];
}

/** A message to the webhook about a revision. */
export function message(id: string, revision: number, isAccepted: boolean) {
  return { id, received: BEGUN + 21_000, revision, body: `revision ${revision}`, isAccepted };
}

export function sighting(second: number, publication: number | null) {
  const sent = BEGUN + second * 1000;
  return { node: 'node-1', sent, received: sent + 5, publication };
}
