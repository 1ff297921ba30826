import {isJsonObject, parseJson, type JsonObject} from '../../src/base/json.ts';
import {openConnection} from '../../src/mcp/connection.ts';

/** Started by the suite with the address of its server: does what each scenario expects of a client, through ours. */
const url = process.argv[2] ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const {signal} = new AbortController();
const place = {env: process.env, cwd: process.cwd(), version: '1.0.0'};
const connection = await openConnection({server: {name: 'suite', transport: 'http', url}, place}, signal);
const askUser = async () => ({answers: [], cancelled: false});

for (const {name, args} of scenario === 'initialize' ? [] : calls()) {
  const tool = connection.tools.find((listed) => listed.name === name);
  if (tool === undefined) continue;
  // What the suite's server refuses is the business of the scenario: it looks at what was sent.
  await connection.call(tool, args, {signal, askUser, onProgress: () => undefined}).catch((error: unknown) => console.error(error));
}
await connection.close();

/** The calls that the suite asks for, else one of each tool. */
function calls(): {name: string; args: JsonObject}[] {
  const context = parseJson(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
  const wanted = isJsonObject(context) ? context['toolCalls'] : undefined;
  if (Array.isArray(wanted)) {
    return wanted.filter(isJsonObject).map((call) => ({
      name: typeof call['name'] === 'string' ? call['name'] : '',
      args: isJsonObject(call['arguments']) ? call['arguments'] : {},
    }));
  }
  return connection.tools.map(({name, inputSchema}) => ({name, args: argumentsOf(name, inputSchema as JsonObject)}));
}

function argumentsOf(name: string, schema: JsonObject): JsonObject {
  if (name === 'add_numbers') return {a: 5, b: 3};
  return isJsonObject(schema['properties']) && 'schema' in schema['properties'] ? {schema: seen()} : {};
}

/** The schema that the echo tool wants back, as we got it. */
function seen(): JsonObject {
  return (connection.tools.find((tool) => tool.name === 'json_schema_2020_12_tool')?.inputSchema ?? {}) as JsonObject;
}
