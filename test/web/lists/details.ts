import type { CardBody } from '../../../web/src/api/responses.ts';

const CONDITIONS = {
  near_mint: 400,
  lightly_played: 350.5,
  moderately_played: null,
  heavily_played: null,
  damaged: null,
};

/** The details of a card with two printings, of which lists read the prices. */
export const DETAILS = {
  id: 'pokemon-bs-charizard-004',
  name: 'Charizard',
  printings: [
    {
      name: 'Holofoil',
      prices: {
        market: 453.86,
        conditions: CONDITIONS,
        graded: { psa_10: null, psa_9: 90, bgs_9_5: null, cgc_9_5: null },
        allGrades: { psa: { 9: 90, 8: 70 }, bgs: { '9.5': 200 } },
        confidence: { level: 'thin', sources: 1, observations: 1 },
      },
    },
    {
      name: '1st Edition Holofoil',
      prices: {
        market: null,
        conditions: { ...CONDITIONS, near_mint: null, lightly_played: null },
        graded: { psa_10: null, psa_9: null, bgs_9_5: null, cgc_9_5: null },
        confidence: null,
      },
    },
  ],
} as unknown as CardBody;
