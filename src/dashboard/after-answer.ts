import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Runs work after an answer is sent: mail, and writes whose duration would reveal whether an
 * account exists. Failures are logged under the id of the request.
 */
export class AfterAnswer {
  readonly #running = new Set<Promise<void>>();

  /** Starts `work` when the answer of a call has been sent or its client has left. */
  run(
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
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

  /** Resolves when all work that was started has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }
}
