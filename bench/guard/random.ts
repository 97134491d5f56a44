import { createHash } from 'node:crypto';
import { randomOf } from '../history/series.ts';
import type { Random } from './model.ts';

/** Returns numbers from 0 to 1, the same for the same seed and name. */
export function seeded(seed: number, name: string): Random {
  return randomOf(createHash('sha256').update(`${seed} ${name}`).digest().readInt32LE(0));
}
