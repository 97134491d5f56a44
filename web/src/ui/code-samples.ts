/** The same API call in common programming languages. */

/** The environment variable from which samples read the API key. */
const VARIABLE = 'PRICES_KEY';

/**
 * Creates a sample for a URL. Samples contain no API key, so they can be stored with other code.
 */
type Sample = (url: string) => string;

const SAMPLES = {
  curl: (url) => `curl -H "X-API-Key: $${VARIABLE}" '${url}'`,
  JavaScript: (url) => `const response = await fetch('${url}', {
  headers: { 'X-API-Key': process.env.${VARIABLE} },
});
console.log(response.status, await response.json());`,
  Python: (url) => `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"X-API-Key": os.environ["${VARIABLE}"]},
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`,
  PHP: (url) => `<?php
$context = stream_context_create(['http' => [
    'header' => 'X-API-Key: ' . getenv('${VARIABLE}'),
]]);
echo file_get_contents('${url}', false, $context);`,
} as const satisfies Record<string, Sample>;

export type Language = keyof typeof SAMPLES;

/** The languages of samples. The first is the default. */
export const LANGUAGES = Object.keys(SAMPLES) as Language[];

/**
 * Returns the code that calls a URL. The query must be encoded by `withQuery`, so no character of
 * it ends a string in any of the languages.
 */
export function formatSample(language: Language, url: string): string {
  return SAMPLES[language](url);
}

/** Returns the command that sets the API key for the samples. */
export function formatExport(apiKey: string): string {
  return `export ${VARIABLE}='${apiKey}'`;
}
