import { useEffect, useErrorBoundary } from 'preact/hooks';
import { LocationProvider } from 'preact-iso';
import { SessionProvider } from '../account/session.tsx';
import { type Rendering, RenderingContext } from '../api/rendering.ts';
import { Banner, Footer, Header } from './header.tsx';
import { Routes } from './routes.tsx';

/**
 * The session, the navigation and the page at the address. `rendering` is set if the server renders
 * the pages or a browser hydrates them.
 */
export function App({ rendering }: { rendering?: Rendering }) {
  // Effects run after those of inner components, so all controls already respond.
  useEffect(() => {
    document.documentElement.dataset.interactive = '';
  }, []);
  return (
    <RenderingContext.Provider value={rendering}>
      <LocationProvider scope={APP_PATHS}>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Banner />
        <SessionProvider>
          <Header />
          <main id="main" tabIndex={-1}>
            <Content />
          </main>
          <Footer />
        </SessionProvider>
      </LocationProvider>
    </RenderingContext.Provider>
  );
}

/** Links to other paths, such as the API reference and the metrics, leave the app. */
const APP_PATHS = /^\/(?!docs|openapi\.json|metrics|healthz|readyz)/;

function Content() {
  const [error] = useErrorBoundary();
  if (!error) return <Routes />;
  return (
    <p class="notice" role="alert">
      Something went wrong on this page.{' '}
      <button type="button" onClick={() => location.reload()}>
        Reload the page
      </button>
    </p>
  );
}
