/**
 * The script of the reference at `/docs`, which the server renders (src/http/reference/). The page
 * is complete without it; it adds the search, the folding and the forms that send requests.
 */
import { startFilter } from './filter.ts';
import { startFolding } from './folding.ts';
import { startSamples } from './samples.ts';
import { startTrials } from './trials.ts';

startFolding();
startSamples();
startTrials();
startFilter();
