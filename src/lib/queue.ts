import pLimit from 'p-limit';
import { waits } from './waits.ts';

/** The waiting and running tasks in each queue of this process, for the metrics. */
export const queueLengths = {
  password: { waiting: 0, running: 0 },
  picture: { waiting: 0, running: 0 },
};
export type QueueName = keyof typeof queueLengths;

/** Runs work when its turn comes. */
export interface Queue {
  <Result>(work: () => Promise<Result>): Promise<Result>;
  /** The number of waiting tasks. */
  readonly pendingCount: number;
}

/** Creates a queue that runs at most `concurrency` tasks at the same time. */
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
