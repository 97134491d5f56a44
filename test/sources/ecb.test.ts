import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { formatDay } from '../../src/domain/day.ts';
import { OperatorError } from '../../src/domain/errors.ts';
import { readEcb } from '../../src/sources/ecb.ts';

const FOLDER = 'test/fixtures/ecb';

function read(name: string, content: string | Uint8Array = readFileSync(`${FOLDER}/${name}`)) {
  const { observedAt, rates } = readEcb(name, Buffer.from(content));
  const shown = rates.map(({ day, currency, dollarsPerUnit }) => {
    return `${formatDay(day)} ${currency} ${dollarsPerUnit.toFixed(6)}`;
  });
  return { observedAt, shown };
}

const NEWEST = ['2026-01-28 EUR 1.080500', '2026-01-28 GBP 1.250289', '2026-01-28 JPY 0.006422'];

/** A zip archive with one file. */
function zipped(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
  const entry = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00'),
    common,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

describe('a file of exchange rates of the ECB', () => {
  it('gives the dollars of one unit of each currency of ours, in every format', () => {
    assert.deepEqual(read('eurofxref-daily.xml').shown, NEWEST);
    assert.deepEqual(read('eurofxref.csv').shown, NEWEST);
    assert.equal(read('eurofxref-daily.xml').observedAt, Date.parse('2026-01-28'));
    const many = read('eurofxref-hist-90d.xml').shown;
    assert.deepEqual(many.slice(0, 3), NEWEST);
    assert.equal(many.length, 9);
    const all = read('eurofxref-hist.csv').shown;
    assert.deepEqual(all.slice(0, 9), many);
    assert.deepEqual(all.slice(9), ['2005-01-03 EUR 1.350700', '2005-01-03 JPY 0.009726']);
  });

  it('may be the only file of a zip archive', () => {
    const csv = readFileSync(`${FOLDER}/eurofxref-hist.csv`);
    const archive = zipped('eurofxref-hist.csv', csv);
    assert.deepEqual(read('hist.zip', archive), read('eurofxref-hist.csv'));
    for (const damaged of [archive.subarray(0, 60), archive.subarray(0, -10)]) {
      assert.throws(() => read('hist.zip', damaged), /hist\.zip is not a zip archive/);
    }
  });

  it('is refused if it is cut off, of somebody else, or has a wrong rate or day', () => {
    const xml = readFileSync(`${FOLDER}/eurofxref-daily.xml`, 'utf8');
    const wrong: [string, RegExp][] = [
      [xml.slice(0, -30), /not a file of exchange rates/],
      [xml.replace("'1.0805'", "'0'"), /"0" is not a rate of USD/],
      [xml.replace("'168.24'", "'1,5'"), /"1,5" is not a rate of JPY/],
      [xml.replace('2026-01-28', '2026-02-31'), /"2026-02-31" is not a day/],
      [xml.replace('USD', 'XXX'), /not a file of exchange rates/],
      ['Date,EUR\n2026-01-28,1\n', /not a file of exchange rates/],
      ['{}', /not a file of exchange rates/],
      ['', /not a file of exchange rates/],
    ];
    for (const [text, message] of wrong) {
      assert.throws(
        () => read('rates', text),
        (error) => error instanceof OperatorError && message.test(error.message),
        String(message),
      );
    }
  });
});
