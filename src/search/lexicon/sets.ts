import type { Entry } from './entry.ts';

export const SETS: readonly Entry[] = [];
