import { useErrorBoundary } from 'preact/hooks';
import { LocationProvider } from 'preact-iso';
import { SessionProvider } from './account/session.tsx';
import { Routes } from './routes.tsx';
import { Banner, Footer, Header } from './ui/layout.tsx';

/** The dashboard: the session, the navigation and the page of the address. */
export function App() {
  return (
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
  );
}

/** Links to other paths, such as the API reference and the metrics, leave the app. */
const APP_PATHS = /^\/(?!docs|openapi\.json|metrics|healthz|readyz)/;

function Content() {
  const [error] = useErrorBoundary();
  if (!error) return <Routes />;
  return (
    <p class="notice" role="alert">
      Something in this page does not work. <a href={location.href}>Load it again</a>
    </p>
  );
}
