import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after } from 'node:test';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: RawSpan[] }[];
  }[];
}

type RawSpan = Omit<ReceivedSpan, 'attributes'> & {
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
};

/** A local collector that receives traces until the test ends. */
export class Collector {
  readonly spans: ReceivedSpan[] = [];
  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  static async open(): Promise<Collector> {
    const server = createServer().listen(0, '127.0.0.1');
    after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const collector = new Collector(`http://127.0.0.1:${port}`);
    server.on('request', async (request, response) => {
      collector.#take((await json(request)) as Sent);
      response.setHeader('content-type', 'application/json').end('{}');
    });
    return collector;
  }

  named(name: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  #take({ resourceSpans }: Sent): void {
    const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans));
    for (const span of spans) {
      const values = span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]);
      this.spans.push({ ...span, attributes: Object.fromEntries(values) });
    }
  }
}
