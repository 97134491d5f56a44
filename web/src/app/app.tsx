import { useEffect, useErrorBoundary } from 'preact/hooks';
import { LocationProvider } from 'preact-iso';
import { SessionProvider } from '../account/session.tsx';
import { type Rendering, RenderingContext } from '../api/rendering.ts';
import { Banner, Footer, Header } from './header.tsx';
import { Routes } from './routes.tsx';

/**
 * The pages: the session, the navigation and the page of the address. `rendering` is given where the
 * server renders them or a browser takes them over.
 */
export function App({ rendering }: { rendering?: Rendering }) {
  // Effects of a component run after those within it: everything listens by now, and says so.
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
      Something in this page does not work.{' '}
      <button type="button" onClick={() => location.reload()}>
        Load it again
      </button>
    </p>
  );
}
