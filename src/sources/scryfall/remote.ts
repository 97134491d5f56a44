import { Type } from 'typebox';
import { OperatorError } from '../../domain/errors.ts';
import type { ListedState, Remote } from '../contract/remote.ts';
import { parse } from '../io/json-stream.ts';
import { answer, Label, Maybe } from '../kit/schema.ts';

const NAME = 'Scryfall';
const GIGABYTE = 1024 * 1024 * 1024;

const parseListing = answer(
  NAME,
  Type.Object({
    data: Type.Array(
      Type.Object({
        type: Label,
        updated_at: Label,
        download_uri: Maybe(Label),
        /** The same one card a line, without brackets, and all that is listed since 2026. */
        jsonl_download_uri: Maybe(Label),
      }),
    ),
  }),
);

/** Scryfall asks for 50 to 100 ms between two requests, and for its bulk files to be used. */
export const SCRYFALL_REMOTE: Remote = {
  base: 'https://api.scryfall.com',
  pauseMs: 100,
  content: { kind: 'listing', path: 'bulk-data', find: findDefaultCards },
};

/** The file of all cards, which is made anew twice a day. */
function findDefaultCards(listing: Uint8Array): ListedState {
  const { data } = parseListing(parse(Buffer.from(listing).toString()));
  const file = data.find(({ type }) => type === 'default_cards');
  const observedAt = Date.parse(file?.updated_at ?? '');
  const path = file?.download_uri ?? file?.jsonl_download_uri;
  if (!file || !path || Number.isNaN(observedAt)) {
    throw new OperatorError(
      `${NAME} does not list its default_cards with an address and a date any more.`,
    );
  }
  return {
    version: file.updated_at,
    observedAt,
    main: {
      path,
      saveAs: 'default-cards.json',
      maxBytes: 2 * GIGABYTE,
      gzip: true,
    },
  };
}
