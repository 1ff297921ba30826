import {estimateTokens, totalTokens} from '../../context/compaction/estimate-tokens.ts';
import {compactionLimit} from '../../context/compaction/window.ts';
import type {PromptPart} from '../../context/system-prompt.ts';
import {renderMemory} from '../../context/memory/render-memory.ts';
import {createSessionMemory} from '../../context/memory/session-memory.ts';
import {modelInfo} from '../../models/catalog.ts';
import {createHistory} from '../../sessions/history.ts';
import {readLog} from '../../sessions/log-reader.ts';
import {findSession} from '../../sessions/session-files.ts';
import {windowSummary} from '../model/model-window.ts';
import {openFrame} from '../thread/open-frame.ts';
import {windowNotes, withWindow} from '../model/apply-model-window.ts';
import type {LikelyModel} from '../optimization/likely-model.ts';
import {AUTO_MODEL} from '../settings/auto-model.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

/** A part of what a model is sent. */
export interface ContextPart {
  readonly kind: PromptPart['kind'] | 'rule' | 'tool' | 'memory' | 'conversation';
  /** The file, tool or session that the part comes from; absent for Fettle itself. */
  readonly source?: string | undefined;
  /** An estimate. */
  readonly tokens: number;
  readonly text: string;
  /** False if the part is sent only when needed; it is then not counted in the total. */
  readonly always: boolean;
}

export interface ShownContext {
  readonly model: string | undefined;
  readonly parts: readonly ContextPart[];
  /** Total tokens of the parts that go with every request. */
  readonly tokens: number;
  /** The window of the model in tokens, its source, and the size from which on a conversation is shortened; null: only when it no longer fits. */
  readonly window: {readonly tokens: number; readonly source: string; readonly compact_at: number | null};
  /** Texts left out for their size, and notices for the user, one line each. */
  readonly cuts: readonly string[];
  readonly notices: readonly string[];
}

/**
 * Collects the parts that a model would be sent in this folder in a headless run: prompt, instructions, skills, tools; with a
 * session also its memory and how much of its conversation is still shown. No model is asked. MCP servers are started, as for a run.
 */
export async function showContext(settings: SessionSettings, sessionId: string | undefined, signal: AbortSignal): Promise<ShownContext> {
  const {session: asked, notices: chosen} = await likelyModel(settings, sessionId);
  const session = await withWindow(asked);
  const ofSession = sessionId === undefined ? [] : await sessionParts(session.paths.stateDir, sessionId);
  const {frame, prompt, instructions, notices, close} = await openFrame(session, signal);
  try {
    const parts: ContextPart[] = [
      ...prompt.map(({kind, path, text}) => part({kind, source: path, text, always: true})),
      ...frame.tools.map((tool) => part({kind: 'tool', source: tool.name, text: JSON.stringify(tool), always: true})),
      ...instructions.byPath.map(({path, globs, text}) =>
        part({kind: 'rule', source: `${path} (for ${globs.join(', ')})`, text, always: false}),
      ),
      ...ofSession,
    ];
    const {maxOutputTokens: maxOutput} = modelInfo(session.settings.model ?? '');
    const {compact_at: share} = session.settings.context;
    const {tokens: size} = session.window;
    return {
      model: session.settings.model,
      parts,
      tokens: parts.reduce((sum, {tokens, always}) => (always ? sum + tokens : sum), 0),
      window: {
        tokens: size,
        source: windowSummary(session.window),
        compact_at: share >= 1 ? null : compactionLimit({size, maxOutput}, share),
      },
      cuts: instructions.cuts,
      notices: [...chosen, ...windowNotes(session), ...notices],
    };
  } finally {
    await close();
  }
}

async function likelyModel(session: SessionSettings, sessionId: string | undefined): Promise<LikelyModel> {
  if (session.settings.model !== AUTO_MODEL) return {session, notices: []};
  const {withLikelyModel} = await import('../optimization/likely-model.ts');
  return await withLikelyModel(session, sessionId);
}

function part(settings: Omit<ContextPart, 'tokens'>): ContextPart {
  return {...settings, tokens: estimateTokens(settings.text)};
}

async function sessionParts(stateDir: string, idOrPrefix: string): Promise<ContextPart[]> {
  const {file, threadId} = findSession(stateDir, idOrPrefix);
  const memory = createSessionMemory(threadId);
  const history = createHistory();
  await readLog(file, ({event}) => {
    memory.observe(event);
    history.apply(event);
  });
  const messages = history.messages();
  return [
    part({kind: 'memory', source: threadId, text: renderMemory(memory.envelope()), always: false}),
    {
      kind: 'conversation',
      source: threadId,
      tokens: totalTokens(messages),
      text: `${messages.length} messages; \`fettle sessions show ${threadId}\` prints them`,
      always: true,
    },
  ];
}
