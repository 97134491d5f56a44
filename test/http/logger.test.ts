import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WriteStream } from 'node:tty';
import { createLogger, formatLogLine } from '../../src/http/logger.ts';

describe('The log on a terminal', () => {
  const linesOf = (log: (logger: ReturnType<typeof createLogger>) => void): string[] => {
    const lines: string[] = [];
    log(createLogger('info', { isTerminal: true, write: (text) => lines.push(text) }));
    return lines;
  };

  it('is one short line of text for each message', () => {
    const [line, ...others] = linesOf((logger) =>
      logger.info({ cards: 3, url: 'http://x' }, 'listening'),
    );
    assert.match(line ?? '', /^\d\d:\d\d:\d\d INFO {2}listening cards=3 url=http:\/\/x\n$/);
    assert.deepEqual(others, []);
  });

  it('leaves out lines below the level', () => {
    assert.deepEqual(
      linesOf((logger) => logger.debug('request')),
      [],
    );
  });

  it('shows an error by its message', () => {
    const [line] = linesOf((logger) => logger.error({ err: new Error('no\nspace') }, 'failed'));
    assert.match(line ?? '', /^\S+ ERROR failed error="no\\nspace"\n$/);
  });

  it('has coloured levels where the terminal shows colours, and what it logs cannot colour', () => {
    const lines: string[] = [];
    const write = (text: string) => lines.push(text);
    const logger = createLogger('info', { isTerminal: true, hasColours: true, write });
    logger.warn('a \u001b[31mname');
    logger.info('listening');
    assert.equal(lines[0]?.slice(8), ' \u001b[33mWARN \u001b[39m a \\u001b[31mname\n');
    assert.match(lines[1] ?? '', /^\S+ INFO {2}listening\n$/);
  });

  it('has no colours for those who set NO_COLOR', () => {
    const { hasColors } = WriteStream.prototype;
    const wanted = { TERM: 'xterm-256color' };
    assert.equal(hasColors.call(process.stdout, 16, wanted), true);
    assert.equal(hasColors.call(process.stdout, 16, { ...wanted, NO_COLOR: '1' }), false);
  });

  it('quotes values that would break the line', () => {
    const line = formatLogLine(
      JSON.stringify({ level: 30, time: 0, msg: 'request', path: 'a\u001b[0m' }),
    );
    assert.match(line, /INFO {2}request path="a\\u001b\[0m"$/);
  });
});
