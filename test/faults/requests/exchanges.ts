import { METHODS, mutatedRequest, type Sources, written } from './mutations.ts';
import type { Random } from './random.ts';

/** What one connection sends, in order. */
export type Step =
  | { readonly do: 'write'; readonly bytes: Buffer }
  | { readonly do: 'wait'; readonly ms: number }
  /** Stops sending, and keeps reading. */
  | { readonly do: 'finish' }
  /** Goes away without a word, so that the server sees a connection reset. */
  | { readonly do: 'reset' };

export interface Exchange {
  /** How many mutated requests it is. */
  readonly requests: number;
  /** Whether every request must be answered; otherwise the server may also close or wait. */
  readonly isAnswered: boolean;
  /** A write for each request where every one must be answered. */
  readonly steps: readonly Step[];
}

/** The share of exchanges that are not requests of HTTP one after the other. */
const BROKEN_SHARE = 0.06;

const MAX_PIPELINED = 12;

/** Larger bodies use separate connections: the server may close early. */
const SMALL_BODY = 60_000;

export function mutatedExchange(sources: Sources): Exchange {
  const { random } = sources;
  return random.chance(BROKEN_SHARE) ? random.pick(BROKEN)(sources) : pipelined(sources);
}

/** Whole requests, written at once. */
function pipelined(sources: Sources): Exchange {
  const drafts = [mutatedRequest(sources)];
  const count = 1 + sources.random.below(MAX_PIPELINED);
  while (drafts.length < count) {
    const draft = mutatedRequest(sources);
    if (draft.body.length < SMALL_BODY) drafts.push(draft);
  }
  const isLarge = (drafts[0]?.body.length ?? 0) >= SMALL_BODY;
  const sent = isLarge ? drafts.slice(0, 1) : drafts;
  return {
    requests: sent.length,
    isAnswered: !isLarge,
    steps: sent.map((draft, index) => write(written(draft, index === sent.length - 1))),
  };
}

/** A request that is not HTTP, is not finished, or whose sender disconnects. */
const BROKEN: readonly ((sources: Sources) => Exchange)[] = [
  badChunking,
  badLength,
  slowBody,
  headerFlood,
  halfClosed,
  goneEarly,
  noHttp,
  expectation,
  upgrade,
];

function badChunking(sources: Sources): Exchange {
  const { random } = sources;
  const chunks = random.pick([
    '2\r\n{}\r\n0\r\n\r\n',
    '2\r\n{}\r\n0\r\nx-trailer: 1\r\n\r\n',
    'zz\r\n{}\r\n0\r\n\r\n',
    'ffffffffffffffffff\r\n{}\r\n',
    '-2\r\n{}\r\n0\r\n\r\n',
    '2\r\n{}0\r\n\r\n',
    `2;${'x=y;'.repeat(5000)}\r\n{}\r\n0\r\n\r\n`,
    '2\n{}\n0\n\n',
    `${'1\r\n \r\n'.repeat(2000)}0\r\n\r\n`,
    '2\r\n{}\r\n',
  ]);
  const coding = random.pick(['chunked', 'chunked, chunked', 'gzip, chunked', 'identity', 'x']);
  const extra = random.chance(0.2) ? 'content-length: 2\r\n' : '';
  return broken([headOf(sources, `transfer-encoding: ${coding}\r\n${extra}`), text(chunks)]);
}

function badLength(sources: Sources): Exchange {
  const length = sources.random.pick([
    '-1',
    '1e3',
    '5, 5',
    '99999999999999999999',
    '',
    '0x2',
    '10',
  ]);
  const again = sources.random.chance(0.3) ? 'content-length: 3\r\n' : '';
  return broken([headOf(sources, `content-length: ${length}\r\n${again}`), text('{}')]);
}

function slowBody(sources: Sources): Exchange {
  const { random } = sources;
  const steps: Step[] = [write(headOf(sources, 'content-length: 12\r\n'))];
  const pieces = ['{"ids"', ':', '[', ']', '}', '  '];
  for (const piece of pieces.slice(0, 1 + random.below(pieces.length))) {
    steps.push({ do: 'wait', ms: random.below(20) }, write(text(piece)));
  }
  if (random.chance(0.5)) steps.push({ do: 'reset' });
  return { requests: 1, isAnswered: false, steps };
}

function headerFlood(sources: Sources): Exchange {
  const flood = sources.random.pick([
    'x: y\r\n'.repeat(sources.random.pick([200, 1990, 5000])),
    `x: ${'y'.repeat(sources.random.pick([8000, 16_384, 100_000]))}\r\n`,
    `${'x'.repeat(20_000)}: y\r\n`,
    `cookie: ${'a=b; '.repeat(2500)}\r\n`,
    'host: a\r\nhost: b\r\n',
    'x : y\r\n',
    ' folded\r\n',
    'x: a\0b\r\n',
  ]);
  return broken([headOf(sources, flood)]);
}

function halfClosed(sources: Sources): Exchange {
  const bytes = written(mutatedRequest(sources), true);
  const cut = sources.random.chance(0.5) ? bytes : bytes.subarray(0, partOf(sources, bytes));
  return { requests: 1, isAnswered: false, steps: [write(cut), { do: 'finish' }] };
}

function goneEarly(sources: Sources): Exchange {
  const { random } = sources;
  const bytes = Buffer.concat(
    Array.from({ length: 1 + random.below(6) }, () => written(mutatedRequest(sources), false)),
  );
  const steps: Step[] = [
    write(random.chance(0.5) ? bytes : bytes.subarray(0, partOf(sources, bytes))),
  ];
  if (random.chance(0.7)) steps.push({ do: 'wait', ms: random.below(6) });
  return { requests: 1, isAnswered: false, steps: [...steps, { do: 'reset' }] };
}

function noHttp({ random }: Sources): Exchange {
  const hello = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]);
  return broken([
    random.pick<() => Buffer>([
      () => random.bytes(1 + random.below(400)),
      () => Buffer.concat([hello, random.bytes(200)]),
      () => text('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      () => text('GET /\r\n\r\n'),
      () => text('GET /v1/games HTTP/1.0\r\n\r\n'),
      () => text('GET /v1/games HTTP/9.9\r\n\r\n'),
      () => text('GET  /v1/games HTTP/1.1\r\nhost: x\r\n\r\n'),
      () => text('GET /v1/games\0 HTTP/1.1\r\nhost: x\r\n\r\n'),
      () => text('BREW /pot HTTP/1.1\r\nhost: x\r\n\r\n'),
      () => text('CONNECT other.example:443 HTTP/1.1\r\nhost: x\r\n\r\n'),
      () => text('GET /v1/games HTTP/1.1\r\n\r\n'),
      () => text('\r\n'.repeat(500)),
      () => text(`GET /${'x'.repeat(70_000)} HTTP/1.1\r\nhost: x\r\n\r\n`),
    ])(),
  ]);
}

function expectation(sources: Sources): Exchange {
  const expected = sources.random.pick(['100-continue', '200-ok', 'x', '100-continue, x']);
  const head = headOf(sources, `expect: ${expected}\r\ncontent-length: 2\r\n`);
  const steps: Step[] = [write(head), { do: 'wait', ms: 5 }, write(text('{}'))];
  return { requests: 1, isAnswered: false, steps };
}

/** Node drops what a client sends behind such a request before it has the answer. */
function upgrade(sources: Sources): Exchange {
  const protocol = sources.random.pick(['websocket', 'h2c', 'x', '']);
  return broken([headOf(sources, `connection: upgrade\r\nupgrade: ${protocol}\r\n`)]);
}

/** The head of a request of any route with some more header lines, and without a body. */
function headOf(sources: Sources, lines: string): Buffer {
  const { random } = sources;
  const draft = mutatedRequest(sources);
  const method = random.chance(0.5) ? 'POST' : random.pick(METHODS);
  const headers = [...draft.headers, ['content-type', 'application/json'] as const];
  const bytes = written({ ...draft, method, headers, body: Buffer.alloc(0) }, true);
  return Buffer.concat([bytes.subarray(0, -2), text(`${lines}\r\n`)]);
}

function broken(parts: readonly Buffer[]): Exchange {
  return { requests: 1, isAnswered: false, steps: [write(Buffer.concat(parts))] };
}

function partOf({ random }: { readonly random: Random }, bytes: Buffer): number {
  return 1 + random.below(bytes.length - 1);
}

function write(bytes: Buffer): Step {
  return { do: 'write', bytes };
}

function text(content: string): Buffer {
  return Buffer.from(content, 'latin1');
}
