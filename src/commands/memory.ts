import { totalmem } from 'node:os';
import type { Finding } from '../domain/finding.ts';

/** The memory that serving processes need, as calculated in docs/capacity.md. */

const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1024 * MEGABYTE;

/** A process with few cards while it starts. */
const PROGRAM_BYTES = 220 * MEGABYTE;

/** A card with its prices and its part of the search index, and the garbage of loading them. */
const CARD_BYTES = 1400;

/**
 * Returns the most bytes that each serving process of a catalogue needs, which is during its start.
 */
export function peakBytes(cards: number): number {
  return PROGRAM_BYTES + cards * CARD_BYTES;
}

/** Returns the bytes of memory of this machine or, if it has less, of this container. */
export function memoryBytes(): number {
  // 0 if it is not known.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

interface MemoryNeed {
  readonly cards: number;
  /** The number of serving processes, each with its own copy of the catalogue. */
  readonly workers: number;
  readonly available: number;
}

/** Compares the memory with what the processes need at their peak. */
export function memoryFinding({ cards, workers, available }: MemoryNeed): Finding {
  const needed = workers * peakBytes(cards);
  const processes = workers === 1 ? 'one process needs' : `${workers} processes need`;
  const says =
    `${gigabytes(available)} GB, and ${processes} up to ${gigabytes(needed)} GB to load ` +
    `${cards} cards.`;
  if (needed <= available) return { about: 'memory', state: 'good', says, fix: '' };
  const fix = workers === 1 ? 'Add memory.' : 'Add memory, or lower CARDPRICE_WORKERS.';
  return { about: 'memory', state: 'warning', says, fix };
}

function gigabytes(bytes: number): string {
  return (bytes / GIGABYTE).toFixed(1);
}
