/** What there is to be had: fastify with nothing but the body. `bare.ts <port> <JSON body>` */
import Fastify from 'fastify';

const [port, json = '{}'] = process.argv.slice(2);
const body: unknown = JSON.parse(json);
const app = Fastify();
app.get('/*', async () => body);
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.once('SIGTERM', () => app.close());
