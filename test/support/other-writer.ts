/** A thread with its own connection. Posts when it is open, then writes a row per message. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '../../src/store/connect.ts';

if (!parentPort) throw new Error('This file is run as a worker thread.');
const store = await openStore(String(workerData));
parentPort.postMessage('open');
await once(parentPort, 'message');
const account = { email: 'ann@shop.example', plan: 'free', created_at: 0 };
await store.accounts.db.insertInto('accounts').values(account).execute();
await store.close();
