import type { GameSlug } from '../domain/games.ts';

/**
 * Codes of sets that other programs use where TCGplayer has another one, folded, and the name of the
 * set as the rules of its game spell it. Those of Pokémon are the codes of Pokémon TCG Live.
 */
export const OTHER_CODES: Readonly<Partial<Record<GameSlug, Readonly<Record<string, string>>>>> = {
  pokemon: {
    b2: 'base set 2',
    ssh: 'sword shield',
    rcl: 'rebel clash',
    daa: 'darkness ablaze',
    cpa: 'champions path',
    viv: 'vivid voltage',
    bst: 'battle styles',
    cre: 'chilling reign',
    evs: 'evolving skies',
    cel: 'celebrations',
    fst: 'fusion strike',
    brs: 'brilliant stars',
    asr: 'astral radiance',
    lor: 'lost origin',
    sit: 'silver tempest',
    sum: 'sun moon',
    gri: 'guardians rising',
    bus: 'burning shadows',
    slg: 'shining legends',
    cin: 'crimson invasion',
    upr: 'ultra prism',
    fli: 'forbidden light',
    lot: 'lost thunder',
    teu: 'team up',
    det: 'detective pikachu',
    unb: 'unbroken bonds',
    unm: 'unified minds',
    cec: 'cosmic eclipse',
    prsv: 'scarlet violet promo',
    prsw: 'sword shield promo',
    prsm: 'sun moon promo',
    prxy: 'xy promo',
    prblw: 'black white promo',
    prhs: 'heartgold soulsilver promo',
    prdpp: 'diamond pearl promo',
    prnp: 'nintendo promo',
    trr: 'team rocket returns',
  },
};
