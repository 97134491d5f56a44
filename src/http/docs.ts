import helmet from '@fastify/helmet';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

/**
 * Lets the reference load only from this server. It writes its configuration into the page and
 * styles into its elements, which is why there are two `unsafe-inline`.
 */
const POLICY = {
  'default-src': ["'self'"],
  'script-src': ["'self'", "'unsafe-inline'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
};

/** `/docs`: the reference of the API, readable without internet. */
export async function docs(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: POLICY },
    // The proxy that terminates TLS decides about HSTS.
    strictTransportSecurity: false,
  });
  await app.register(reference, {
    routePrefix: '/docs',
    configuration: {
      pageTitle: 'Cardprice API',
      url: '../openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  });
}
