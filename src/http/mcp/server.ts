import {
  type CallToolResult,
  McpServer,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { TObject } from 'typebox';
import { API_ERRORS } from '../../domain/errors.ts';
import { invalidBody } from '../errors.ts';
import { bodyValidator, shown } from '../validation.ts';
import { type Api, ToolError } from './api.ts';
import { card, resolve, search } from './cards.ts';
import { explain, history, movers, sets, statistics } from './prices.ts';
import type { Tool } from './tool.ts';

/** The tools as a server of the Model Context Protocol. */

/** Every tool, in the order in which assistants see them. */
export const TOOLS: readonly Tool[] = [
  search,
  card,
  history,
  statistics,
  explain,
  movers,
  sets,
  resolve,
];

const INSTRUCTIONS =
  'Prices of trading cards in eight games. Find the id of a card with `search`, or with `resolve` ' +
  'from a line of text. Give a price with its day, its marketplaces and its link. Prices are in ' +
  'US dollars unless you ask for another currency. `null` means that no source reports a number: ' +
  'do not guess one.';

/** Tools only read, and only data of this service. */
const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export interface ToolServerOptions {
  readonly version: string;
  /** Reports an unexpected error of a tool. Assistants learn only that it occurred. */
  readonly onFailure: (error: unknown) => void;
}

/** Creates a server whose tools call an API. */
export function toolServer(api: Api, { version, onFailure }: ToolServerOptions): McpServer {
  const options = { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS };
  const server = new McpServer({ name: 'cardprice', title: 'Cardprice', version }, options);
  for (const tool of TOOLS) {
    const { name, title, description } = tool;
    const inputSchema = standardSchema(tool.input, checkerOf(tool));
    // Tests check the answers against the schemas, and so do clients.
    const outputSchema = standardSchema(tool.output, (value) => ({ value }));
    const config = { title, description, inputSchema, outputSchema, annotations: ANNOTATIONS };
    server.registerTool(name, config, (input) => run(tool, api, input as never, onFailure));
  }
  return server;
}

/** Runs a tool. A failure is also an answer, to which the assistant can react. */
async function run(
  tool: Tool,
  api: Api,
  input: Record<string, unknown>,
  onFailure: ToolServerOptions['onFailure'],
): Promise<CallToolResult> {
  try {
    const { data, text } = await tool.run(api, input);
    return {
      content: [{ type: 'text', text }],
      structuredContent: data as Record<string, unknown>,
    };
  } catch (error) {
    if (!(error instanceof ToolError)) onFailure(error);
    const text = error instanceof ToolError ? error.message : API_ERRORS.INTERNAL_ERROR.example;
    return { content: [{ type: 'text', text }], isError: true };
  }
}

type Validate = StandardSchemaWithJSON['~standard']['validate'];

/** Adapts a JSON schema and our validation to the library. */
function standardSchema(schema: TObject, validate: Validate): StandardSchemaWithJSON {
  const json = () => ({ ...schema });
  const jsonSchema = { input: json, output: json };
  return { '~standard': { version: 1, vendor: 'cardprice', validate, jsonSchema } };
}

const checkers = new Map<Tool, Validate>();

/** Returns the check of a tool's arguments, compiled at its first use. */
function checkerOf(tool: Tool): Validate {
  return (value) => {
    const check = checkers.get(tool) ?? compiled(tool);
    checkers.set(tool, check);
    return check(value);
  };
}

function compiled({ input }: Tool): Validate {
  const check = bodyValidator(input);
  return (value) => {
    const unknown = Object.keys(value as object).find((name) => !(name in input.properties));
    const error = unknown === undefined ? check(value).error : unknownArgument(unknown, input);
    return error ? { issues: [{ message: error.message }] } : { value };
  };
}

function unknownArgument(
  name: string,
  { description }: TObject & { readonly description?: string },
) {
  return invalidBody(shown(name), 'is not an argument.', description);
}
