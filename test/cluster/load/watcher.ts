import { setTimeout as sleep } from 'node:timers/promises';
import { GAMES } from '../../../src/domain/games.ts';
import { FIRST_CARDS } from '../catalogue.ts';
import type { Sighting } from '../record.ts';
import { now, type Recorder } from './recorder.ts';

const POLL_MS = 500;
const PATIENCE_MS = 2000;
const LONGEST_MS = 60_000;

/** A node, and where it answers past the proxy. */
export interface WatchedNode {
  readonly name: string;
  readonly url: string;
}

/** Asks each node itself, twice a second, whether it is ready and how many cards it serves. */
export class Watcher {
  readonly #recorder: Recorder;
  readonly #nodes: () => readonly WatchedNode[];
  #timer: NodeJS.Timeout | undefined;

  constructor(recorder: Recorder, nodes: () => readonly WatchedNode[]) {
    this.#recorder = recorder;
    this.#nodes = nodes;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), POLL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Looks until each node is ready and serves a publication that is wanted.
   *
   * @throws Error if that takes longer than a minute.
   */
  async until(isWanted: (publication: number) => boolean): Promise<void> {
    const deadline = now() + LONGEST_MS;
    const isMissing = ({ publication }: Sighting) => publication === null || !isWanted(publication);
    while ((await this.look()).some(isMissing)) {
      if (now() > deadline) throw new Error('Not all nodes serve what they should.');
      await sleep(POLL_MS);
    }
  }

  /** Asks each node once. */
  async look(): Promise<readonly Sighting[]> {
    const sightings = await Promise.all(
      this.#nodes().map(async ({ name: node, url }) => {
        const sent = now();
        const publication = await publicationAt(url).catch(() => null);
        return { node, sent, received: now(), publication };
      }),
    );
    this.#recorder.sightings.push(...sightings);
    return sightings;
  }
}

/** The publication whose number of cards a node says to serve; null when it is not ready. */
async function publicationAt(url: string): Promise<number | null> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const { cards } = (await response.json()) as { cards?: number };
  return response.ok && cards !== undefined ? cards / GAMES.length - FIRST_CARDS : null;
}
