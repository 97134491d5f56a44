/**
 * The part of curl that examples use, for machines without it: `-H`, `-d`, `-X`, `--compressed`,
 * which `fetch` always does, and `-G` with `--data-urlencode name=value`.
 */
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: {
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
    request: { type: 'string', short: 'X' },
    get: { type: 'boolean', short: 'G' },
    compressed: { type: 'boolean' },
    'data-urlencode': { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
const url = new URL(positionals[0] ?? '');
for (const pair of values['data-urlencode']) {
  const [name = '', ...rest] = pair.split('=');
  url.searchParams.append(name, rest.join('='));
}
const headers = values.header.map((line) => {
  const [name = '', ...rest] = line.split(':');
  return [name, rest.join(':').trim()] as [string, string];
});
const { data, request = data === undefined ? 'GET' : 'POST' } = values;
const response = await fetch(url, {
  headers,
  method: request,
  ...(data !== undefined && { body: data }),
});
process.stdout.write(await response.text());
