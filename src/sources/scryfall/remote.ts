import { Type } from 'typebox';
import { OperatorError } from '../../domain/errors.ts';
import type { ListedFiles, Remote } from '../contract/remote.ts';
import { parseJson } from '../io/parse-json.ts';
import { compileResponseParser, Label, Nullish } from '../kit/schema.ts';

const NAME = 'Scryfall';
const GIGABYTE = 1024 * 1024 * 1024;

const parseListing = compileResponseParser(
  NAME,
  Type.Object({
    data: Type.Array(
      Type.Object({
        type: Label,
        updated_at: Label,
        download_uri: Nullish(Label),
        /** The same file as JSON lines; since 2026 the only one that is listed. */
        jsonl_download_uri: Nullish(Label),
      }),
    ),
  }),
);

/** Scryfall asks for 50 to 100 ms between two requests, and for its bulk files to be used. */
export const SCRYFALL_REMOTE: Remote = {
  base: 'https://api.scryfall.com',
  pauseMs: 100,
  content: { kind: 'listing', path: 'bulk-data', parse: findDefaultCards },
};

/** Finds the file of all cards, which Scryfall makes twice a day. */
function findDefaultCards(listing: Uint8Array): ListedFiles {
  const { data } = parseListing(parseJson(Buffer.from(listing).toString()));
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
