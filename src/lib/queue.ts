import pLimit from 'p-limit';
import { waits } from './waits.ts';

/** The queues of a process, and how many of each wait and run. */
export const queueLengths = {
  password: { waiting: 0, running: 0 },
  picture: { waiting: 0, running: 0 },
};
export type QueueName = keyof typeof queueLengths;

/** Runs work when its turn comes. */
export interface Queue {
  <Result>(work: () => Promise<Result>): Promise<Result>;
  /** How many wait for their turn. */
  readonly pendingCount: number;
}

/** A queue of which at most `concurrency` run at the same time; its length is for the metrics. */
export function createQueue(name: QueueName, concurrency: number): Queue {
  const limit = pLimit(concurrency);
  const length = queueLengths[name];
  const run = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const from = performance.now();
    length.waiting += 1;
    return limit(async () => {
      waits.record(name, from);
      length.waiting -= 1;
      length.running += 1;
      try {
        return await work();
      } finally {
        length.running -= 1;
      }
    });
  };
  return Object.defineProperty(run, 'pendingCount', { get: () => limit.pendingCount }) as Queue;
}
