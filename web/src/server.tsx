import { renderToString } from 'preact-render-to-string';
import type { RenderedPage, RenderRequest } from '../../src/dashboard/rendering.ts';
import { Rendering } from './api/rendering.ts';
import { App } from './app/app.tsx';

/** The pages for the server, which renders them once before a browser takes them over. */

export { loadPages } from './app/routes.tsx';

export function renderPage({ url, origin, answers }: RenderRequest): RenderedPage {
  const rendering = new Rendering(answers);
  const html = atAddress(new URL(origin + url), () =>
    renderToString(<App rendering={rendering} />),
  );
  return { html, head: rendering.head, missing: rendering.missing };
}

/** Runs `render` as if it were at an address: the router reads where it is from `location`. */
function atAddress(address: URL, render: () => string): string {
  Object.defineProperty(globalThis, 'location', { value: address, configurable: true });
  try {
    return render();
  } finally {
    Reflect.deleteProperty(globalThis, 'location');
  }
}
