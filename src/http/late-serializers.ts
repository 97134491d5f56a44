import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

/** Creates the serializers of an application's responses. */
type SerializerFactory = ReturnType<typeof SerializerSelector>;

const compilerFor = SerializerSelector();

/**
 * Fastify's own serializers, each compiled for the first response that needs it. Compiling all of
 * them at the start would delay it by a tenth of a second.
 */
export const lateSerializers: SerializerFactory = (schemas, options) => {
  const compile = compilerFor(schemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (body) => {
      serialize ??= compile(route);
      return serialize(body);
    };
  };
};
