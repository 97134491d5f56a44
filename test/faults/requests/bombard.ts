import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, mutatedExchange, type Step } from './exchanges.ts';
import type { Sources } from './mutations.ts';

/** An exchange that went wrong. */
export interface Failure {
  readonly problem: string;
  /** The start of what was sent. */
  readonly sent: string;
  /** The start of what came back. */
  readonly received: string;
}

export interface Report {
  requests: number;
  /** Answers by their status. */
  readonly statuses: Map<number, number>;
  readonly failures: Failure[];
  /** Milliseconds of the slowest exchange. */
  slowest: number;
  /** Exchanges that were late once, and not when they were repeated: the machine was busy. */
  late: number;
}

/** What a request may take, in milliseconds, unless more is allowed. */
const LIMIT_MS = 2000;

/** After which it hangs, however busy the machine is. */
const HANG_MS = 30_000;

/** How often an exchange is tried that is late. */
const ATTEMPTS = 3;

/** How long the client waits for something that the server may leave unanswered. */
const PATIENCE_MS = 250;

const CONNECTIONS = 24;
/** Characters of requests and answers in a failure. */
const SHOWN = 700;

/**
 * Sends mutated requests to a port over some connections at once, until there were `count`. Each
 * may take `limit` milliseconds.
 */
export async function bombard(
  port: number,
  sources: Sources,
  count: number,
  limit = LIMIT_MS,
): Promise<Report> {
  const report: Report = { requests: 0, statuses: new Map(), failures: [], slowest: 0, late: 0 };
  const worker = async () => {
    while (report.requests < count) {
      const exchange = mutatedExchange(sources);
      report.requests += exchange.requests;
      judge(report, exchange, await performInTime(port, exchange, { report, limit }), limit);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return report;
}

/** What became of an exchange. */
interface Result {
  readonly received: string;
  /** From the last byte that was sent, in milliseconds. */
  readonly took: number;
  /** Whether the server closed the connection. */
  readonly isClosed: boolean;
  /** Why the connection broke, if it did. */
  readonly error: string;
}

/** Performs an exchange, and again when it was late. */
async function performInTime(
  port: number,
  exchange: Exchange,
  { report, limit }: { readonly report: Report; readonly limit: number },
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await perform(port, exchange);
    const isLate = exchange.isAnswered && result.took > limit && result.isClosed;
    if (!isLate || attempt === ATTEMPTS) return result;
    report.late += 1;
  }
}

async function perform(port: number, { steps, isAnswered }: Exchange): Promise<Result> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let error = '';
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', (cause: NodeJS.ErrnoException) => {
    error = cause.code ?? cause.message;
  });
  const closed = new Promise<boolean>((resolve) => {
    for (const event of ['end', 'close', 'error']) socket.once(event, () => resolve(true));
  });
  for (const step of steps) await take(socket, step);
  const started = performance.now();
  const expired = sleep(isAnswered ? HANG_MS : PATIENCE_MS, false, { ref: false });
  const isClosed = await Promise.race([closed, expired]);
  const took = performance.now() - started;
  socket.destroy();
  return { received: Buffer.concat(chunks).toString('latin1'), took, isClosed, error };
}

async function take(socket: Socket, step: Step): Promise<void> {
  if (step.do === 'write') socket.write(step.bytes);
  else if (step.do === 'wait') await sleep(step.ms);
  else if (step.do === 'finish') socket.end();
  else socket.resetAndDestroy();
}

/** The status line of an answer, behind the end of the one before. */
const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;

function judge(report: Report, exchange: Exchange, result: Result, limit: number): void {
  const statuses = [...result.received.matchAll(STATUS_LINE)].map(([, code]) => Number(code));
  for (const status of statuses) {
    report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1);
  }
  report.slowest = Math.max(report.slowest, exchange.isAnswered ? result.took : 0);
  const failed = statuses.findIndex((status) => status >= 500);
  const problem =
    failed === -1 ? problemOf(exchange, result, { statuses, limit }) : 'an answer 5xx';
  if (problem === undefined) return;
  const at = failed === -1 ? statuses.length : failed;
  const { steps, isAnswered } = exchange;
  const sent = isAnswered ? steps.slice(at, at + 1) : steps;
  const received = result.received.split(/(?=HTTP\/1\.1 \d{3} )/)[at] ?? '';
  report.failures.push({
    problem,
    sent: sent.map((step) => (step.do === 'write' ? shown(step.bytes) : step.do)).join(' '),
    received: received.slice(0, SHOWN),
  });
}

/** Returns the fault of an exchange, apart from a 5xx; undefined if there is none. */
function problemOf(
  { isAnswered, requests }: Exchange,
  { received, isClosed, took, error }: Result,
  { statuses, limit }: { readonly statuses: readonly number[]; readonly limit: number },
): string | undefined {
  if (error === 'ECONNREFUSED') return error;
  if (!isAnswered) return undefined;
  if (!isClosed) return `no end within ${HANG_MS} ms`;
  if (took > limit) return `it took ${took} ms, as before`;
  const isComplete = statuses.filter((status) => status >= 200).length === requests;
  // A server that refuses a request may close the connection if it says so.
  if (isComplete || /connection: close/i.test(received)) return undefined;
  return `${statuses.length} answers to ${requests} requests ${error}`;
}

function shown(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, SHOWN));
}
