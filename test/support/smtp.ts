import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/** A mail that the server received. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header and body, exactly as sent. */
  readonly text: string;
}

export interface MailServer {
  /** The URL, as in `CARDPRICE_SMTP`. */
  readonly url: string;
  /** Every mail so far. */
  readonly mails: readonly Mail[];
}

/** Opens a local mail server until the test ends. It refuses recipients that contain `refuses`. */
export async function openMailServer(refuses = 'nobody@'): Promise<MailServer> {
  const mails: Mail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    converse(socket, mails, refuses);
  }).listen(0, '127.0.0.1');
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, mails };
}

/** Implements the part of SMTP (RFC 5321) needed to receive mails. */
function converse(socket: Socket, mails: Mail[], refuses: string): void {
  let received = '';
  let from = '';
  let to: string[] = [];
  let isData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  const address = (line: string) => /<(.*)>/.exec(line)?.[1] ?? '';
  const commands: Record<string, (line: string) => void> = {
    MAIL: (line) => {
      from = address(line);
      to = [];
      say('250 ok');
    },
    RCPT: (line) => {
      if (line.includes(refuses)) return void say('550 no such user');
      to.push(address(line));
      say('250 ok');
    },
    DATA: () => {
      isData = true;
      say('354 go on');
    },
    STAR: () => say('502 there is no STARTTLS'),
    QUIT: () => socket.end('221 bye\r\n'),
  };
  const read = (): boolean => {
    const end = received.indexOf(isData ? '\r\n.\r\n' : '\r\n');
    if (end < 0) return false;
    const text = received.slice(0, end);
    received = received.slice(end + (isData ? 5 : 2));
    if (isData) {
      mails.push({ from, to, text });
      isData = false;
      say('250 taken');
    } else {
      (commands[text.slice(0, 4).toUpperCase()] ?? (() => say('250 ok')))(text);
    }
    return true;
  };
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
    while (read());
  });
  socket.on('error', () => {});
  say('220 test');
}
