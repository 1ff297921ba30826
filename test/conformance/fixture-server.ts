import {
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type CallToolResult,
  type ElicitRequestFormParams,
  type InputRequests,
  type InputRequiredResult,
  type McpServerFactory,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import {ENUM_FIELDS, FIELDS_WITH_DEFAULTS, IMAGE, JSON_SCHEMA_2020_12, SOUND, TEXTS} from './fixture-data.ts';

export interface Fixture {
  readonly factory: McpServerFactory;
  /** What the tools that change a list call. */
  changed: {tools(): void; prompts(): void};
}

type Result = CallToolResult | InputRequiredResult;

/** A server with everything that the suite calls by name (test code; hosted by the host of `fettle mcp serve`). */
export function createFixture(): Fixture {
  const codec = createRequestStateCodec<{round: number}>({key: 'a secret of at least thirty-two bytes'});
  const fixture: Fixture = {
    changed: {tools: () => undefined, prompts: () => undefined},
    factory: () => {
      const server = new McpServer(
        {name: 'fixture', version: '1.0.0'},
        {
          capabilities: {
            tools: {listChanged: true},
            prompts: {listChanged: true},
            resources: {subscribe: true, listChanged: true},
            logging: {},
            completions: {},
          },
          requestState: {verify: codec.verify},
        },
      );
      addContentTools(server);
      addTalkingTools(server);
      addAskingTools(server, codec);
      addResources(server);
      addPrompts(server);
      server.registerTool('test_trigger_tool_change', {description: 'test_trigger_tool_change'}, () => {
        fixture.changed.tools();
        return said('changed');
      });
      server.registerTool('test_trigger_prompt_change', {description: 'test_trigger_prompt_change'}, () => {
        fixture.changed.prompts();
        return said('changed');
      });
      return server;
    },
  };
  return fixture;
}

function said(text: string): CallToolResult {
  return {content: [{type: 'text', text}]};
}

function addContentTools(server: McpServer): void {
  const image = {type: 'image' as const, data: IMAGE, mimeType: 'image/png'};
  const json = {uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}'};
  server.registerTool('test_simple_text', {description: 'test_simple_text'}, () => said(TEXTS.simple));
  server.registerTool('test_image_content', {description: 'test_image_content'}, () => ({content: [image]}));
  server.registerTool('test_audio_content', {description: 'test_audio_content'}, () => ({
    content: [{type: 'audio', data: SOUND, mimeType: 'audio/wav'}],
  }));
  server.registerTool('test_embedded_resource', {description: 'test_embedded_resource'}, () => ({
    content: [{type: 'resource', resource: {uri: 'test://embedded-resource', mimeType: 'text/plain', text: TEXTS.embedded}}],
  }));
  server.registerTool('test_multiple_content_types', {description: 'test_multiple_content_types'}, () => ({
    content: [{type: 'text', text: 'Multiple content types test:'}, image, {type: 'resource', resource: json}],
  }));
  server.registerTool('test_error_handling', {description: 'test_error_handling'}, () => ({...said(TEXTS.error), isError: true}));
  server.registerTool(
    'json_schema_2020_12_tool',
    {description: 'json_schema_2020_12_tool', inputSchema: fromJsonSchema(JSON_SCHEMA_2020_12)},
    () => said('done'),
  );
  const region = {type: 'string', 'x-mcp-header': 'Region'} as const;
  const headed = fromJsonSchema({type: 'object', properties: {region}, required: ['region']});
  server.registerTool('test_x_mcp_header', {description: 'test_x_mcp_header', inputSchema: headed}, () => said('done'));
}

function addTalkingTools(server: McpServer): void {
  server.registerTool('test_tool_with_logging', {description: 'test_tool_with_logging'}, async ({mcpReq}) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) await mcpReq.log('info', line);
    return said('done');
  });
  server.registerTool('test_logging_tool', {description: 'test_logging_tool'}, async ({mcpReq}) => {
    await mcpReq.log('info', 'logged');
    return said('done');
  });
  server.registerTool('test_tool_with_progress', {description: 'test_tool_with_progress'}, async ({mcpReq}) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      await mcpReq.notify({method: 'notifications/progress', params: {progressToken, progress, total: 100}});
    }
    return said(String(progressToken));
  });
  server.registerTool('test_missing_capability', {description: 'test_missing_capability'}, () => sample('hello'));
}

const sampling = (text: string) => inputRequired.createMessage({messages: [{role: 'user', content: {type: 'text', text}}], maxTokens: 100});

function sample(text: string): InputRequiredResult {
  return inputRequired({inputRequests: {answer: sampling(text)}});
}

/** The tools that need an answer: asked for until it is there. */
function addAskingTools(server: McpServer, codec: ReturnType<typeof createRequestStateCodec<{round: number}>>): void {
  const ask = (name: string, requests: InputRequests, {state = false} = {}): void => {
    server.registerTool(name, {description: name}, async (ctx: ServerContext): Promise<Result> => {
      const keys = Object.keys(requests);
      const missing = keys.some((key) => inputResponse(ctx.mcpReq.inputResponses, key).kind === 'missing');
      const checked = !state || ctx.mcpReq.requestState<{round: number}>() !== undefined;
      if (!missing && checked) return said(`state-ok ${JSON.stringify(ctx.mcpReq.inputResponses)}`);
      return inputRequired({inputRequests: requests, ...(state ? {requestState: await codec.mint({round: 1}, ctx)} : {})});
    });
  };
  const name = form('What is your name?', {name: {type: 'string'}});
  const confirm = form('Please confirm', {ok: {type: 'boolean'}});
  const roots = inputRequired.listRoots();
  ask('test_input_required_result_elicitation', {user_name: name});
  ask('test_input_required_result_sampling', {capital_question: sampling('What is the capital of France?')});
  ask('test_input_required_result_list_roots', {client_roots: roots});
  ask('test_input_required_result_request_state', {confirm}, {state: true});
  ask('test_input_required_result_tampered_state', {confirm}, {state: true});
  ask('test_input_required_result_multiple_inputs', {user_name: name, greeting: sampling('Greet'), client_roots: roots}, {state: true});
  ask('test_streaming_elicitation', {user_name: name});
  server.registerTool(
    'test_input_required_result_capabilities',
    {description: 'test_input_required_result_capabilities'},
    (ctx: ServerContext): Result => {
      const can = server.server.getClientCapabilities() ?? {};
      const requests = {...(can.sampling === undefined ? {} : {a: sampling('hi')}), ...(can.elicitation === undefined ? {} : {b: name})};
      return ctx.mcpReq.inputResponses === undefined && Object.keys(requests).length > 0
        ? inputRequired({inputRequests: requests})
        : said('done');
    },
  );
  server.registerTool(
    'test_input_required_result_multi_round',
    {description: 'test_input_required_result_multi_round'},
    async (ctx: ServerContext): Promise<Result> => {
      const round = ctx.mcpReq.requestState<{round: number}>()?.round ?? 0;
      if (round === 2) return said('done');
      const request = round === 0 ? form('Step 1: name?', {name: {type: 'string'}}) : form('Step 2: color?', {color: {type: 'string'}});
      return inputRequired({inputRequests: {[`step${round + 1}`]: request}, requestState: await codec.mint({round: round + 1}, ctx)});
    },
  );
  addOldEraTools(server);
}

/** They answer what came of one question; the SDK asks clients of the older era by requests of its own. */
function addOldEraTools(server: McpServer): void {
  const answered = (ctx: ServerContext, request: InputRequests[string], word: string): Result => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'q');
    if (answer.kind === 'sampling') return said(`LLM response: ${JSON.stringify(answer.result.content)}`);
    if (answer.kind === 'elicit') return said(`${word}: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
    return inputRequired({inputRequests: {q: request}});
  };
  server.registerTool('test_sampling', {description: 'test_sampling', inputSchema: z.object({prompt: z.string()})}, ({prompt}, ctx) =>
    answered(ctx, sampling(prompt), ''),
  );
  server.registerTool(
    'test_elicitation',
    {description: 'test_elicitation', inputSchema: z.object({message: z.string()})},
    ({message}, ctx) => answered(ctx, form(message, {response: {type: 'string'}}), 'User response'),
  );
  server.registerTool('test_elicitation_sep1034_defaults', {description: 'test_elicitation_sep1034_defaults'}, (ctx) =>
    answered(ctx, form('Please review', FIELDS_WITH_DEFAULTS, []), 'Elicitation completed'),
  );
  server.registerTool('test_elicitation_sep1330_enums', {description: 'test_elicitation_sep1330_enums'}, (ctx) =>
    answered(ctx, form('Please select', ENUM_FIELDS, []), 'Elicitation completed'),
  );
}

function form(message: string, properties: ElicitRequestFormParams['requestedSchema']['properties'], required = Object.keys(properties)) {
  return inputRequired.elicit({message, requestedSchema: {type: 'object', properties, required}});
}

function addResources(server: McpServer): void {
  const text = (uri: string, content: string) => ({contents: [{uri, mimeType: 'text/plain', text: content}]});
  server.registerResource('static-text', 'test://static-text', {mimeType: 'text/plain'}, ({href}) => text(href, TEXTS.resource));
  server.registerResource('watched', 'test://watched-resource', {mimeType: 'text/plain'}, ({href}) => text(href, 'watched'));
  server.registerResource('static-binary', 'test://static-binary', {mimeType: 'image/png'}, ({href}) => ({
    contents: [{uri: href, mimeType: 'image/png', blob: IMAGE}],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', {list: undefined});
  server.registerResource('template', template, {mimeType: 'application/json'}, ({href}, {id}) => ({
    contents: [{uri: href, mimeType: 'application/json', text: JSON.stringify({id, templateTest: true})}],
  }));
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.server.setRequestHandler('completion/complete', () => ({completion: {values: [], total: 0, hasMore: false}}));
}

function addPrompts(server: McpServer): void {
  const user = (text: string) => ({role: 'user' as const, content: {type: 'text' as const, text}});
  server.registerPrompt('test_simple_prompt', {description: 'test_simple_prompt'}, () => ({messages: [user(TEXTS.prompt)]}));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {description: 'two arguments', argsSchema: z.object({arg1: z.string(), arg2: z.string()})},
    ({arg1, arg2}) => ({messages: [user(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)]}),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {description: 'test_prompt_with_embedded_resource', argsSchema: z.object({resourceUri: z.string()})},
    ({resourceUri}) => ({
      messages: [
        {role: 'user', content: {type: 'resource', resource: {uri: resourceUri, mimeType: 'text/plain', text: TEXTS.embedded}}},
        user('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', {description: 'test_prompt_with_image'}, () => ({
    messages: [{role: 'user', content: {type: 'image', data: IMAGE, mimeType: 'image/png'}}, user('Please analyze the image above.')],
  }));
  server.registerPrompt('test_input_required_result_prompt', {description: 'test_input_required_result_prompt'}, (ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'user_context');
    if (answer.kind !== 'elicit') return inputRequired({inputRequests: {user_context: form('What context?', {context: {type: 'string'}})}});
    return {messages: [user(JSON.stringify(answer.content))]};
  });
}
