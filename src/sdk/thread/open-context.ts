import {spentOn} from '../../agent/budget.ts';
import type {Meter} from '../../agent/meter.ts';
import type {Settings} from '../../config/settings.ts';
import type {ContextWindowOptions, Summarizer} from '../../context/compaction/compaction.ts';
import {type ContextWindow, createContextWindow} from '../../context/compaction/context-window.ts';
import {modelInfo} from '../../models/catalog.ts';
import type {ToolSchema} from '../../protocol/messages.ts';
import type {Toolset} from '../../tools/toolset.ts';
import {windowKey, rememberWindow, windowOf} from '../model/model-window.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

interface ContextParts extends Pick<ContextWindowOptions, 'threadId' | 'provider' | 'history' | 'memory' | 'emit' | 'frame' | 'gate'> {
  readonly session: SessionSettings;
  /** The settings of the thread, or of a subagent with a model of its own. */
  readonly settings: Settings;
  /** The log, from which results are read again. */
  readonly sessionFile: string;
  /** The toolset of the thread: it decides whether what left the conversation can be recalled. */
  readonly toolset: Toolset;
  readonly meter: Meter;
}

/** Opens the context of a thread, which is kept within the window of its model: `session.window`, else the one in the catalog. */
export function openContext({session, settings, sessionFile, toolset, meter, ...parts}: ContextParts): ContextWindow {
  const {model = ''} = settings;
  const {contextWindow, maxOutputTokens} = modelInfo(model);
  const known = session.window?.model === model ? session.window : undefined;
  const log = once(async () => (await import('../../sessions/log-items.ts')).createLogItems(sessionFile));
  const index = once(async () => (await import('../../context/memory/recall-index.ts')).createRecallIndex(await log()));
  const {compact_at: share, compaction, summary_model: summaryModel} = settings.context;
  return createContextWindow({
    ...parts,
    window: {size: known?.tokens ?? contextWindow, maxOutput: maxOutputTokens},
    isCertain: known !== undefined && known.source !== 'guess',
    onWindow: (tokens) => rememberWindow(session.paths.stateDir, windowKey(model, session.providerSettings), tokens),
    compactAt: share >= 1 ? undefined : share,
    byProvider: compaction === 'provider',
    summarizer: summaryModel === undefined ? undefined : async () => await openSummarizer(summaryModel, session),
    recallTool: async () => await recallSchema(toolset),
    readIndex: async () => await (await index())(),
    readOutputs: async (items) => await (await log()).outputs(items),
    onPaid: (paid) => meter.add(spentOn(paid)),
  });
}

/** Nothing is loaded before the first compaction. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

async function openSummarizer(model: string, session: SessionSettings): Promise<Summarizer> {
  const {openProvider} = await import('../../models/open-provider.ts');
  const [provider, {tokens}] = await Promise.all([openProvider(model, session.providerSettings), windowOf(model, session)]);
  return {provider, windowTokens: tokens};
}

/** Returns undefined if the tool is switched off. */
async function recallSchema(toolset: Toolset): Promise<ToolSchema | undefined> {
  const [{resolveTool}, {toolSchemas}] = await Promise.all([
    import('../../tools/dispatch/resolve-tool.ts'),
    import('../../tools/arguments/schema.ts'),
  ]);
  const found = await resolveTool(toolset, 'recall').catch(() => undefined);
  return found === undefined ? undefined : toolSchemas({tools: [found.tool]})[0];
}
