import v8 from 'node:v8';
import vm from 'node:vm';

/**
 * Gives back the memory that loading the catalogue left scattered: about 170 of 430 MB after a
 * catalogue of 116,000 cards (docs/performance.md). An ordinary collection frees it, but keeps the
 * half-empty pages. Takes up to a second, so it is for a process that does not answer yet.
 */
export function compactHeap(): void {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as (options: {
    execution: 'sync';
    flavor: string;
  }) => void;
  collect({ execution: 'sync', flavor: 'last-resort' });
}

/**
 * Lets the heap of this process grow by halves of what is alive only. A bulk import keeps some 50 MB
 * alive, and V8 would otherwise take 200 before it collects; it costs little time. Not for a
 * process that serves: it would collect, and pause, more often.
 */
export function growHeapSlowly(): void {
  v8.setFlagsFromString('--heap-growing-percent=50');
}
