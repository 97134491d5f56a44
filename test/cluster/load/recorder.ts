import { createHash } from 'node:crypto';
import { type Reading, readBody } from '../reading.ts';
import type { Answer, FaultRun, KeyLife, Message, PublicationRun, Sighting } from '../record.ts';

/** A key whose life is not over. */
export type KeyInUse = { -readonly [Name in keyof KeyLife]: KeyLife[Name] };

/** Writes down what happens in a run. */
export class Recorder {
  readonly begun = now();
  readonly answers: Answer[] = [];
  readonly readings = new Map<string, Reading>();
  readonly keys: KeyInUse[] = [];
  readonly publications: PublicationRun[] = [];
  readonly faults: FaultRun[] = [];
  readonly troubles: string[] = [];
  readonly sightings: Sighting[] = [];
  readonly messages: Message[] = [];
  #ids = 0;

  /** An id for a request, or for what a request makes. */
  nextId(): string {
    this.#ids += 1;
    return `request-${String(this.#ids).padStart(7, '0')}`;
  }

  /** Reads a body, unless the same has been read before; returns its digest. */
  read(endpoint: string, body: string): string {
    const digest = `${endpoint} ${createHash('sha1').update(body).digest('base64')}`;
    if (!this.readings.has(digest)) {
      this.readings.set(digest, readBody(endpoint, JSON.parse(body)));
    }
    return digest;
  }
}

/** The present moment, by a clock that nothing sets: milliseconds since 1970. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
