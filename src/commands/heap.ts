import v8 from 'node:v8';

/**
 * Lets the heap of this process grow by halves only. A bulk import keeps some 50 MB alive, and V8
 * would otherwise take 200 before it collects (docs/performance.md); it costs little time.
 */
export function growHeapSlowly(): void {
  v8.setFlagsFromString('--heap-growing-percent=50');
}
