import type { Day } from '../../src/domain/day.ts';
import type { DayPrices } from '../../src/domain/price.ts';

/** Version 1 blocks, which have no provenances, with the days that they hold. */

interface OldBlock {
  readonly rowId: number;
  readonly hex: string;
  readonly days: readonly DayPrices[];
}

function on(
  day: number,
  market: number | null,
  low: number | null,
  mid: number | null,
  high: number | null,
): DayPrices {
  return { day: day as Day, market, low, mid, high } as DayPrices;
}

/** 100 days with a gap and varying prices. */
const LONG = Array.from({ length: 100 }, (_, at) => {
  const low = at % 5 === 0 ? null : 90;
  return on(
    20_480 + at + (at > 40 ? 3 : 0),
    100 + ((at * 7) % 13),
    low,
    110 + ((at * at) % 17),
    150,
  );
});

export const V1_BLOCKS: readonly OldBlock[] = [
  {
    rowId: 4711 * 256 + 79,
    hex: '014fe620294bdcfa9f5643484454840a565c57',
    days: [
      on(20_454, 250, null, 250, 400),
      on(20_455, 253, null, 253, 400),
      on(20_457, 253, null, 253, null),
    ],
  },
  {
    rowId: 7,
    hex: '010000100f50001fffdcc0000001dcd6700778000003b9b09ff80d121586',
    days: [on(0, 0, null, null, 1_000_000_000), on(65_535, null, 0, null, 0)],
  },
  {
    rowId: 4711,
    hex: '0150000000ff7cee15f447082f457ccc',
    days: [on(20_480, 499, 450, 500, 1249)],
  },
  {
    rowId: 5_000_000_123,
    hex:
      '015000373040a583bdc648dd25bca45a8d279a510d26a7944d57f271693d2841a4ef0a7934d6bca45a21d2' +
      '696935b4a2be4d3547ca45add273a52349e7944d50f271694d28be934f4a107934d6f89c5ad295a4c874a2' +
      '5e4d355bca45a5749a3a53749cf944d63c9c5acd2886935349afe51354fc9c5a20d29784f4a57934d487ca' +
      '45a4b49ada515d268f944d77c9c5a9d271a53349a1e513553c9c5a5f4a27a4c834a5f134d7ca45aad2643a' +
      '512d26b7934d55f291691d27ba52749c7944d73c9c5a434a29a4d7d289f934d483ca45abc27a4eb4a10f93' +
      '4d52f291696d26ae944749ef944d67c9c5a8d299a4d0d28a7934d57f271693d2841a4ef0a7934d6bca45a2' +
      '1d2696945b49aaf5277dd9',
    days: LONG,
  },
];
