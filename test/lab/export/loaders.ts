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

export interface LoadedEpisode {
  readonly id: string;
  /** The sum of its rewards. */
  readonly reward: number;
  /** The messages that the model had before each of its actions, and the action. */
  readonly steps: readonly {
    readonly state: readonly LoadedMessage[];
    readonly action: LoadedMessage;
    readonly tools: readonly LoadedTool[];
  }[];
  readonly truncated: boolean;
}

interface Transition {
  readonly episode: string;
  readonly t: number;
  readonly observation: readonly LoadedMessage[];
  readonly context: 'append' | 'replace';
  readonly action: LoadedMessage;
  readonly tools?: readonly LoadedTool[];
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

/**
 * docs/reference/lab-exports.md, notes for loaders: the state before an action is everything since the last `replace`, observations and actions in turn;
 * an episode ends with `terminated` or `truncated` (Gymnasium: never both here), and its transitions are numbered from 0, one behind the other.
 */
export function loadTransitions(text: string): readonly LoadedEpisode[] {
  const rows = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Transition]));
  const episodes: LoadedEpisode[] = [];
  let [state, tools, steps, reward]: [LoadedMessage[], readonly LoadedTool[], LoadedEpisode['steps'], number] = [[], [], [], 0];
  for (const [at, row] of rows.entries()) {
    const where = `line ${at + 1}`;
    if (row.t !== steps.length) throw new Error(`${where}: transition ${row.t} of ${row.episode}, expected ${steps.length}`);
    if (row.t === 0 && row.context !== 'replace') throw new Error(`${where}: an episode begins with an older state`);
    if (row.t > 0 && rows[at - 1]?.episode !== row.episode) throw new Error(`${where}: ${row.episode} in the middle of another episode`);
    if (row.context === 'replace') [state, tools] = [[], row.tools ?? []];
    else if (row.tools !== undefined) throw new Error(`${where}: tools beside an older state`);
    state = [...state, ...row.observation];
    checkMessages(state, where, 'string');
    if (row.action.role !== 'assistant') throw new Error(`${where}: the action is not the assistant's`);
    steps = [...steps, {state, action: row.action, tools}];
    state = [...state, row.action];
    reward += row.reward;
    if (row.terminated && row.truncated) throw new Error(`${where}: terminated and truncated`);
    if (!row.terminated && !row.truncated) continue;
    episodes.push({id: row.episode, reward, steps, truncated: row.truncated});
    [state, tools, steps, reward] = [[], [], [], 0];
  }
  if (steps.length > 0) throw new Error('the last episode has no end');
  return episodes;
}

interface RawTrajectory {
  readonly schema_version: string;
  readonly trajectory_id?: string;
  readonly agent: {readonly extra?: {readonly profile?: string}};
  readonly steps: readonly {
    readonly step_id: number;
    readonly source: string;
    readonly message: string;
    readonly tool_calls?: readonly {readonly tool_call_id: string}[];
    readonly observation?: {
      readonly results: readonly {
        readonly source_call_id?: string;
        readonly subagent_trajectory_ref?: readonly {readonly trajectory_id?: string}[];
      }[];
    };
  }[];
  readonly subagent_trajectories?: readonly RawTrajectory[];
}

export interface LoadedTrajectory {
  readonly id: string;
  readonly profile: string | undefined;
  readonly said: readonly string[];
  readonly subagents: readonly LoadedTrajectory[];
}

/**
 * Harbor RFC 0001, ATIF v1.7: steps are numbered from 1, a result belongs to a call of its own step, a reference to a subagent's trajectory resolves
 * among those that are embedded, and ids of trajectories are unique.
 */
export function loadTrajectory(raw: RawTrajectory): LoadedTrajectory {
  const id = raw.trajectory_id ?? '';
  if (!/^ATIF-v1\.\d$/.test(raw.schema_version)) throw new Error(`${id}: schema ${raw.schema_version}`);
  const subagents = (raw.subagent_trajectories ?? []).map(loadTrajectory);
  const known = subagents.map((one) => one.id);
  if (new Set([id, ...known]).size !== known.length + 1 || known.includes('')) throw new Error(`${id}: ids are not unique`);
  for (const [at, step] of raw.steps.entries()) {
    if (step.step_id !== at + 1) throw new Error(`${id}: step ${step.step_id} at ${at + 1}`);
    const calls = (step.tool_calls ?? []).map((call) => call.tool_call_id);
    for (const {source_call_id: call, subagent_trajectory_ref: refs = []} of step.observation?.results ?? []) {
      if (call !== undefined && !calls.includes(call)) throw new Error(`${id}: a result of ${call}, which is not of step ${step.step_id}`);
      const gone = refs.find(({trajectory_id: ref}) => !known.includes(ref ?? ''));
      if (gone !== undefined) throw new Error(`${id}: no trajectory ${gone.trajectory_id}`);
    }
  }
  const said = raw.steps.flatMap(({source, message}) => (source === 'agent' && message !== '' ? [message] : []));
  return {id, profile: raw.agent.extra?.profile, said, subagents};
}
