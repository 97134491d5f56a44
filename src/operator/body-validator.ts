import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { ApiError } from '../domain/errors.ts';
import { validatorCompiler } from '../http/validation.ts';

/** Checks bodies against their schemas, with messages for the person who filled in the form. */

/** The part of a body's schema that messages use. */
interface BodySchema {
  readonly properties: Readonly<Record<string, { readonly title?: string }>>;
}

type Fault = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

export const bodyValidatorCompiler: FastifySchemaCompiler<TSchema> = (route) => {
  return route.httpPart === 'body' ? bodyValidator(route.schema) : validatorCompiler(route);
};

function bodyValidator(schema: TSchema) {
  const checker = Compile(schema);
  const { properties } = schema as unknown as BodySchema;
  return (body: unknown) => {
    if (checker.Check(body)) return { value: body };
    const [fault] = checker.Errors(body);
    const parameter = fault ? partOf(fault) : 'body';
    const name = properties[parameter]?.title ?? 'What was sent';
    const message = `${name} ${fault ? problemOf(fault) : 'is wrong'}.`;
    return {
      error: new ApiError('INVALID_BODY', message, { details: [{ parameter, message }] }),
    };
  };
}

function partOf(fault: Fault): string {
  if (fault.keyword === 'required') return fault.params.requiredProperties[0] ?? 'body';
  const [, name = 'body'] = fault.instancePath.split('/');
  return name;
}

function problemOf(fault: Fault): string {
  switch (fault.keyword) {
    case 'required':
    case 'minLength':
    case 'minItems':
      return 'is missing';
    case 'maxLength':
      return `may have at most ${fault.params.limit} characters`;
    case 'maxItems':
      return `may have at most ${fault.params.limit} items`;
    case 'enum':
      return `must be one of ${fault.params.allowedValues.join(', ')}`;
    default:
      return fault.message;
  }
}
