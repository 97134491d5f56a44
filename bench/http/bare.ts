/**
 * What there is to be had: fastify with nothing but the bodies, in turn.
 * `bare.ts <port> <file with a JSON array of bodies>`
 */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

const [port, file = ''] = process.argv.slice(2);
const bodies = JSON.parse(readFileSync(file, 'utf8')) as unknown[];
let next = 0;
const app = Fastify();
app.all('/*', async () => {
  next = (next + 1) % bodies.length;
  return bodies[next];
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.once('SIGTERM', () => app.close());
