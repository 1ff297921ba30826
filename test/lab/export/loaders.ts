// Loaders as the consumers of the formats describe them, with nothing of Fettle in them.

interface Call {
  readonly id: string;
  readonly type: string;
  readonly function: {readonly name: string; readonly arguments: unknown};
}

export interface LoadedMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly Call[];
  readonly tool_call_id?: string;
  readonly name?: string;
  readonly weight?: number;
}

interface LoadedTool {
  readonly type: string;
  readonly function: {readonly name: string; readonly description?: string; readonly parameters?: object};
}

export interface ChatExample {
  readonly messages: readonly LoadedMessage[];
  readonly tools?: readonly LoadedTool[];
}

/**
 * OpenAI's guide to supervised fine-tuning: one JSON object a line with `messages` and, for tool calling, `tools`; roles system, user, assistant, tool;
 * each tool message answers a call of the assistant message before it, each call is answered; arguments are JSON text; the last message is the
 * assistant's; `weight` is 0 or 1 and of assistant messages alone; names have at most 64 letters, digits, `_` and `-`.
 */
export function loadChatFineTuning(text: string): readonly ChatExample[] {
  return text.split('\n').flatMap((line, at) => {
    if (line === '') return [];
    const example = JSON.parse(line) as ChatExample;
    expectKeys(example, ['messages', 'tools'], `line ${at + 1}`);
    checkMessages(example.messages, `line ${at + 1}`, 'string');
    if (example.messages.at(-1)?.role !== 'assistant') throw new Error(`line ${at + 1}: does not end with the assistant`);
    if (!example.messages.some(({role, weight = 1}) => role === 'assistant' && weight === 1))
      throw new Error(`line ${at + 1}: nothing to learn`);
    checkTools(example);
    return [example];
  });
}

export interface PreferenceExample {
  readonly prompt: readonly LoadedMessage[];
  readonly chosen: readonly LoadedMessage[];
  readonly rejected: readonly LoadedMessage[];
  readonly tools?: readonly LoadedTool[];
}

/**
 * TRL's documentation of dataset formats, "preference, conversational, with explicit prompt": three lists of messages, and `tools` beside them; the
 * arguments of a call are an object there, and a result names its tool.
 */
export function loadConversationalPreference(text: string): readonly PreferenceExample[] {
  return text.split('\n').flatMap((line, at) => {
    if (line === '') return [];
    const example = JSON.parse(line) as PreferenceExample;
    expectKeys(example, ['prompt', 'chosen', 'rejected', 'tools'], `line ${at + 1}`);
    for (const side of [example.chosen, example.rejected]) {
      checkMessages([...example.prompt, ...side], `line ${at + 1}`, 'object');
      if (side.some(({role, name}) => role === 'tool' && name !== 'read')) throw new Error(`line ${at + 1}: a result without its tool`);
      if (side[0]?.role !== 'assistant' || side.at(-1)?.role !== 'assistant')
        throw new Error(`line ${at + 1}: a side is not the assistant's`);
    }
    if (example.prompt.at(-1)?.role === 'assistant') throw new Error(`line ${at + 1}: the prompt ends with the assistant`);
    return [example];
  });
}

function expectKeys(value: object, known: readonly string[], where: string): void {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw new Error(`${where}: unknown ${unknown.join(', ')}`);
}

function checkMessages(messages: readonly LoadedMessage[], where: string, form: 'string' | 'object'): void {
  let open: string[] = [];
  for (const {role, content, tool_calls: calls = [], tool_call_id: answers, weight} of messages) {
    if (!['system', 'user', 'assistant', 'tool'].includes(role)) throw new Error(`${where}: role ${role}`);
    if (typeof content !== 'string') throw new Error(`${where}: content is not text`);
    if (weight !== undefined && (role !== 'assistant' || ![0, 1].includes(weight))) throw new Error(`${where}: weight ${weight}`);
    if (role === 'tool') {
      if (!open.includes(answers ?? '')) throw new Error(`${where}: answers ${answers}, which nobody called`);
      open = open.filter((id) => id !== answers);
      continue;
    }
    if (open.length > 0) throw new Error(`${where}: ${open.join(', ')} not answered`);
    for (const call of calls) {
      if (call.type !== 'function' || !/^[\w-]{1,64}$/.test(call.function.name)) throw new Error(`${where}: call ${call.function.name}`);
      if (typeof call.function.arguments !== form) throw new Error(`${where}: arguments are ${typeof call.function.arguments}`);
      if (typeof call.function.arguments === 'string') JSON.parse(call.function.arguments);
      open.push(call.id);
    }
    if (new Set(open).size !== open.length) throw new Error(`${where}: an id twice`);
  }
}

function checkTools({tools = []}: ChatExample): void {
  for (const tool of tools) {
    if (tool.type !== 'function' || !/^[\w-]{1,64}$/.test(tool.function.name)) throw new Error(`tool ${tool.function.name}`);
    if (typeof tool.function.parameters !== 'object') throw new Error(`tool ${tool.function.name} has no parameters`);
  }
}
