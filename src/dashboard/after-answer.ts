import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What is done once an answer is sent: mail, and writes whose duration would tell whether an account
 * exists. What fails is logged under the id of the request.
 */
export class AfterAnswer {
  readonly #running = new Set<Promise<void>>();

  /** Begins `work` when the answer of a call is sent, or its client has gone. */
  run(
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    name: string,
    work: () => Promise<void>,
  ): void {
    const sent = new Promise<void>((resolve) => {
      finished(reply.raw, () => resolve());
    });
    const done = sent.then(work).catch((err) => {
      request.log.error({ reqId: request.id, err }, `${name} failed`);
    });
    this.#running.add(done);
    done.then(() => this.#running.delete(done));
  }

  /** Resolves when everything that was begun has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }
}
