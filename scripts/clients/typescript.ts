import { GENERATED, SLICES, wholeList } from './limits.ts';
import type { Field, Model, NamedType, Operation, Type } from './model.ts';
import { pascal } from './model.ts';

/** Returns `types.ts` of the TypeScript client: every type of the API by its name. */
export function typescriptTypes({ types, operations }: Model): string {
  const parts = [
    ...types.map(declaration),
    ...operations.filter(hasParameters).map(parametersType),
  ];
  return `// ${GENERATED}\n\n${parts.join('\n')}`;
}

/** Returns `operations.ts` of the TypeScript client: a method for each operation. */
export function typescriptOperations({ operations }: Model): string {
  const methods = operations.map(methodOf).join('\n');
  return `// ${GENERATED}

import type { Pages } from './pages.ts';
import type { CallOptions, Transport } from './transport.ts';
import type * as Api from './types.ts';

/** Every operation of the API. */
export class Operations {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

${methods}}
`;
}

function declaration({ name, description, fields, alias }: NamedType): string {
  if (alias) return `${comment(description)}export type ${name} = ${written(alias)};\n`;
  return interfaceOf(name, description, fields ?? []);
}

function interfaceOf(name: string, description: string, fields: readonly Field[]): string {
  const lines = fields.map((field) => {
    const key =
      /^\w+$/.test(field.name) && !/^\d/.test(field.name) ? field.name : `'${field.name}'`;
    const mark = field.isRequired ? '' : '?';
    return `${comment(field.description)}${key}${mark}: ${written(field.type)};\n`;
  });
  return `${comment(description)}export interface ${name} {\n${lines.join('')}}\n`;
}

function parametersType(operation: Operation): string {
  const { id, query, body } = operation;
  const fields = [...body, ...query].map((field) => {
    if (field.name !== SLICES[id]?.list) return field;
    // The client splits longer lists.
    return { ...field, description: field.description.replace(/, (?:at most|1 to) \d+/, '') };
  });
  return interfaceOf(`${pascal(id)}Parameters`, `What \`${id}\` takes.`, fields);
}

function hasParameters({ query, body }: Operation): boolean {
  return query.length + body.length > 0;
}

function methodOf(operation: Operation): string {
  const { id, method, path, description, places, query, body, answer, item } = operation;
  const names = [...body, ...query];
  const isOptional = !names.some(({ isRequired }) => isRequired);
  const inPath = places.map(({ name, type }) => `${name}: ${written(type, 'Api.')}`);
  const given = hasParameters(operation)
    ? [`parameters: Api.${pascal(id)}Parameters${isOptional ? ' = {}' : ''}`]
    : [];
  const parameters = [...inPath, ...given, 'options?: CallOptions'].join(', ');
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => `\${encodeURIComponent(${name})}`);
  const url = places.length > 0 ? `\`${target}\`` : `'${path}'`;
  const sent = given.length > 0 ? 'parameters' : '{}';
  const slice = SLICES[id];
  if (item) {
    const type = `Pages<Api.${answer}, ${written(item, 'Api.')}>`;
    const { limit, limitWithInclude, hasCursor } = wholeList(operation);
    const largest =
      limitWithInclude === undefined
        ? limit
        : `parameters.include ? ${limitWithInclude} : ${limit}`;
    const defaults = `{ limit: ${largest}${hasCursor ? ", cursor: ''" : ''} }`;
    return `${comment(description)}${id}(${parameters}): ${type} {
return this.transport.pages(${url}, ${sent}, ${defaults}, options);
}
`;
  }
  const [call, members] = slice
    ? ['slices', `, ${listed(body)}, '${slice.list}', ${slice.size}`]
    : method === 'GET'
      ? ['get', '']
      : ['post', `, ${listed(body)}`];
  return `${comment(description)}${id}(${parameters}): Promise<Api.${answer}> {
return this.transport.${call}(${url}, ${sent}${members}, options);
}
`;
}

function listed(fields: readonly Field[]): string {
  return `[${fields.map(({ name }) => `'${name}'`).join(', ')}]`;
}

/** Writes a type; `space` is the namespace of named types. */
function written(type: Type, space = ''): string {
  switch (type.kind) {
    case 'text':
      return 'string';
    case 'integer':
      return 'number';
    case 'literals':
      return type.values
        .map((value) => (typeof value === 'string' ? `'${value}'` : `${value}`))
        .join(' | ');
    case 'list':
      return `readonly ${grouped(type.of, space)}[]`;
    case 'map':
      return `Readonly<Record<string, ${written(type.of, space)}>>`;
    case 'union':
      return type.of.map((one) => written(one, space)).join(' | ');
    case 'named':
      return space + type.name;
    default:
      return type.kind;
  }
}

/** Writes the type of items, in parentheses if the list's brackets would bind more tightly. */
function grouped(type: Type, space: string): string {
  const isSimple = !['union', 'literals', 'list'].includes(type.kind);
  return isSimple ? written(type, space) : `(${written(type, space)})`;
}

function comment(text: string): string {
  return text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`;
}
