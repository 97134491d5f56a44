import { GENERATED, SLICES, wholeList } from './limits.ts';
import {
  type Field,
  type Model,
  type NamedType,
  type Operation,
  pascal,
  type Type,
} from './model.ts';

/** Words that cannot be names of fields or parameters. */
const KEYWORDS = new Set(['from', 'import', 'in', 'is', 'class', 'def', 'not', 'or', 'and', 'as']);

const SYNC = { name: 'Operations', isAsync: false };
const ASYNC = { name: 'AsyncOperations', isAsync: true };

/** Returns `types.py` of the Python client: every type of the API by its name. */
export function pythonTypes({ types }: Model): string {
  return `"""The types of the API. ${GENERATED}"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


${types.map(declaration).join('\n\n')}`;
}

/** Returns `_operations.py` of the Python client: a method for each operation, sync and async. */
export function pythonOperations({ operations }: Model): string {
  const classes = [SYNC, ASYNC].map((form) => classOf(form, operations));
  return `"""Every operation of the API. ${GENERATED}"""

from __future__ import annotations

from collections.abc import Sequence

from cardprice import types
from cardprice._pages import AsyncPages, Pages
from cardprice._transport import AsyncTransport, Transport, path_of

${classes.join('\n')}`;
}

function declaration({ name, description, fields, alias }: NamedType): string {
  if (alias) {
    // Other types may be declared further down.
    const text = alias.kind === 'literals' ? written(alias) : `"${written(alias)}"`;
    return `${remark(description)}${name}: TypeAlias = ${text}\n`;
  }
  if (!fields?.every((field) => isName(field.name))) return functional(name, fields ?? []);
  const lines = fields.map((field) => {
    return `${indented(remark(field.description))}    ${field.name}: ${typeOf(field)}\n`;
  });
  return `class ${name}(TypedDict):\n${docstring(description, 4)}${lines.join('')}`;
}

/** Declares a type with field names that are not valid in Python. */
function functional(name: string, fields: readonly Field[]): string {
  const lines = fields.map((field) => `        "${field.name}": "${typeOf(field)}",\n`);
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`;
}

function typeOf({ type, isRequired }: Field): string {
  return isRequired ? written(type) : `NotRequired[${written(type)}]`;
}

interface Form {
  readonly name: string;
  readonly isAsync: boolean;
}

function classOf({ name, isAsync }: Form, operations: readonly Operation[]): string {
  const transport = isAsync ? 'AsyncTransport' : 'Transport';
  const methods = operations.map((operation) => methodOf(operation, isAsync)).join('\n');
  return `
class ${name}:
    """Every operation of the API."""

    def __init__(self, transport: ${transport}) -> None:
        self._transport = transport

${methods}`;
}

function methodOf(operation: Operation, isAsync: boolean): string {
  const { id, method, path, description, places, query, body, answer, item } = operation;
  const all = [...places, ...body, ...query];
  const required = all.filter(({ isRequired }) => isRequired);
  const optional = all.filter(({ isRequired }) => !isRequired);
  const parameters = [
    'self',
    ...required.map((field) => `${snake(field.name)}: ${input(field.type)}`),
    ...(optional.length > 0 ? ['*'] : []),
    ...optional.map((field) => `${snake(field.name)}: ${input(field.type)} | None = None`),
  ];
  const target = path.replaceAll(/\{\w+\}/g, '{}');
  const names = places.map(({ name }) => snake(name));
  const url = names.length > 0 ? `path_of("${target}", ${names.join(', ')})` : `"${target}"`;
  const sent = dictionary(query);
  const slice = SLICES[id];
  const call = callOf(item !== undefined, slice !== undefined, method);
  const args = [
    `types.${answer}`,
    url,
    sent,
    ...(item ? [defaultsOf(operation)] : []),
    ...(method === 'POST' ? [dictionary(body)] : []),
    ...(slice ? [`"${slice.list}"`, `${slice.size}`] : []),
  ];
  const wait = isAsync && !item;
  const kind = isAsync ? 'AsyncPages' : 'Pages';
  const result = item ? `${kind}[types.${answer}, ${written(item, 'types.')}]` : `types.${answer}`;
  return `    ${wait ? 'async ' : ''}def ${snake(id)}(
${parameters.map((parameter) => `        ${parameter},\n`).join('')}    ) -> ${result}:
${docstring(description, 8)}        return ${wait ? 'await ' : ''}self._transport.${call}(
${args.map((argument) => `            ${argument},\n`).join('')}        )
`;
}

function defaultsOf(operation: Operation): string {
  const { limit, limitWithInclude, hasCursor } = wholeList(operation);
  const largest =
    limitWithInclude === undefined ? limit : `${limitWithInclude} if include else ${limit}`;
  return `{"limit": ${largest}${hasCursor ? ', "cursor": ""' : ''}}`;
}

function callOf(isPaged: boolean, isSliced: boolean, method: string): string {
  if (isPaged) return 'pages';
  if (isSliced) return 'slices';
  return method === 'GET' ? 'get' : 'post';
}

function dictionary(fields: readonly Field[]): string {
  const members = fields.map(({ name }) => `                "${name}": ${snake(name)},\n`);
  return members.length === 0 ? '{}' : `{\n${members.join('')}            }`;
}

/** Writes the type of a parameter: any sequence is accepted as a list. */
function input(type: Type): string {
  return written(type, 'types.').replace(/^list\[/, 'Sequence[');
}

/** Writes a type; `space` is the namespace of named types. */
function written(type: Type, space = ''): string {
  switch (type.kind) {
    case 'text':
      return 'str';
    case 'number':
      return 'float';
    case 'integer':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'unknown':
      return 'Any';
    case 'literals':
      return `Literal[${type.values.map(literal).join(', ')}]`;
    case 'list':
      return `list[${written(type.of, space)}]`;
    case 'map':
      return `dict[str, ${written(type.of, space)}]`;
    case 'union':
      return type.of.map((one) => written(one, space)).join(' | ');
    case 'named':
      return space + type.name;
  }
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (value === null) return 'None';
  return typeof value === 'boolean' ? pascal(`${value}`) : `${value}`;
}

/** Writes `idSpace` as `id_space`. */
function snake(name: string): string {
  const text = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return isName(text) ? text : `${text.replaceAll(/\W/g, '_')}_`;
}

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.has(text);
}

function docstring(text: string, indent: number): string {
  if (text === '') return '';
  const margin = ' '.repeat(indent);
  return `${margin}"""${wrapped(text, 86 - indent).join(`\n${margin}`)}"""\n`;
}

function remark(text: string): string {
  if (text === '') return '';
  return wrapped(text, 90)
    .map((line) => `#: ${line}\n`)
    .join('');
}

function indented(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, '    ');
}

/** Breaks a text into lines. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
