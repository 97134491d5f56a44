import v8 from 'node:v8';
import vm from 'node:vm';

/**
 * Returns memory to the system after the catalogue is loaded: about 170 of 430 MB for 116,000 cards
 * (docs/performance.md). An ordinary collection keeps the half-empty pages. It blocks for up to a
 * second, so call it before the process answers requests.
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
 * Lets the heap grow by at most half of the live objects between collections. A bulk import keeps
 * some 50 MB alive, for which V8 would otherwise take 200. Not for a process that answers requests:
 * it would pause for collections more often.
 */
export function growHeapSlowly(): void {
  v8.setFlagsFromString('--heap-growing-percent=50');
}
