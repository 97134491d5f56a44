import { GAMES } from '../../../src/domain/games.ts';
import { FIRST_CARDS } from '../catalogue.ts';
import { now, type Recorder } from './recorder.ts';

const POLL_MS = 500;
const PATIENCE_MS = 2000;

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

  /** Asks each node once. */
  async look(): Promise<void> {
    await Promise.all(
      this.#nodes().map(async ({ name: node, url }) => {
        const sent = now();
        const publication = await publicationAt(url).catch(() => null);
        this.#recorder.sightings.push({ node, sent, received: now(), publication });
      }),
    );
  }
}

/** The publication whose number of cards a node says to serve; null when it is not ready. */
async function publicationAt(url: string): Promise<number | null> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const { cards } = (await response.json()) as { cards?: number };
  return response.ok && cards !== undefined ? cards / GAMES.length - FIRST_CARDS : null;
}
