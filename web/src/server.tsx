import { renderToString } from 'preact-render-to-string';
import type { RenderedPage, RenderRequest } from '../../src/dashboard/rendering.ts';
import { Rendering } from './api/rendering.ts';
import { App } from './app/app.tsx';
import { styleOf } from './app/routes.tsx';

/** The pages for the server, which renders them once before a browser takes them over. */

export { loadPages } from './app/routes.tsx';

export function renderPage({ url, origin, answers }: RenderRequest): RenderedPage {
  const rendering = new Rendering(answers);
  const address = new URL(origin + url);
  const html = atAddress(address, () => renderToString(<App rendering={rendering} />));
  const { head, missing } = rendering;
  return { html, head, style: styleOf(address.pathname), missing };
}

/** Runs `render` as if it were at an address: the router reads its position from `location`. */
function atAddress(address: URL, render: () => string): string {
  Object.defineProperty(globalThis, 'location', { value: address, configurable: true });
  try {
    return render();
  } finally {
    Reflect.deleteProperty(globalThis, 'location');
  }
}
