import {createChildThread} from '../../agent/delegation/child-thread.ts';
import type {ChildOrder, OpenedChild} from '../../agent/delegation/live-child.ts';
import type {SubagentProfile} from '../../agent/delegation/profile.ts';
import {instructionsText} from '../../context/instructions/instructions-text.ts';
import type {Provider} from '../../models/provider.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import {foldRequest} from '../plugins/fold-plugins.ts';
import {windowOf} from '../model/model-window.ts';
import {openContext} from '../thread/open-context.ts';
import {VERSION} from '../version.ts';
import {openEvents} from './child-log.ts';
import {openPlace, type Place, withRecall} from './child-place.ts';
import type {ChildParts, SubagentsOptions} from './subagents-options.ts';

export async function providerFor(
  {model}: SubagentProfile,
  {provider, delegation}: Pick<SubagentsOptions, 'provider' | 'delegation'>,
): Promise<Provider> {
  if (model === undefined || model === provider.model) return provider;
  const {openProvider} = await import('../../models/open-provider.ts');
  return await openProvider(model, delegation.session.providerSettings);
}

/**
 * Opens a new or earlier session of a subagent: with a log of its own, the tools of its profile in the folder of
 * its thread or in a copy of the repository, and the budget and approvals of its thread. If it throws, nothing
 * stays open.
 */
export async function openChild(options: SubagentsOptions, order: ChildOrder): Promise<OpenedChild> {
  const provider = await providerFor(order.profile, options);
  const own = {...options, dispatcher: {...options.dispatcher, approve: askedBy(order.agentId, options.dispatcher.approve)}};
  const place = await openPlace(own, order, provider);
  try {
    return await openIn(place, {options: own, order, provider});
  } catch (error) {
    await place.close();
    throw error;
  }
}

/** Shows the person which subagent asks. */
function askedBy(agent: string, approve: DispatcherOptions['approve']): DispatcherOptions['approve'] {
  return approve === undefined ? undefined : (request, signal) => approve({...request, agent}, signal);
}

async function openIn(place: Place, parts: ChildParts): Promise<OpenedChild> {
  const {options, order, provider} = parts;
  const {delegation, instructions, meter, now} = options;
  const {threadId, profile, resumed} = order;
  const {settings} = delegation.session;
  // A profile may have a model of its own.
  const ownSettings = {...settings, model: profile.model ?? settings.model};
  const session = {...delegation.session, window: await windowOf(ownSettings.model ?? '', delegation.session)};
  const events = await openEvents(parts);
  const {history, memory, inputs, scoped, sink, emit} = events;
  const thread = createChildThread({
    threadId,
    profile,
    provider,
    folder: place.folder,
    instructions: instructionsText(instructions),
    meter,
    now,
    limits: order.limits,
    tools: withRecall(place.tools, events.session.file),
    onSubjects: (subjects) => scoped.touch(subjects.map(place.inProject)),
    emit,
    keep({frame, meter: own}) {
      const window = openContext({
        session,
        settings: ownSettings,
        threadId,
        sessionFile: events.session.file,
        toolset: place.tools.toolset,
        provider,
        history,
        memory,
        meter: own,
        emit,
        frame,
      });
      return {request: foldRequest(events.connect(window), window.request), makeRoom: window.makeRoom};
    },
    inputs,
    openAttempt: delegation.requests.of(order.agentId),
    started: {toolset: settings.toolset, fettle_version: VERSION, resumed, parent_thread_id: delegation.threadId},
  });
  return {
    add: (kind, text) => void (kind === 'steer' ? thread.steer(text) : thread.followUp(text)),
    waiting: thread.waiting,
    run: async (signal) => await thread.run(undefined, signal),
    said: sink.said,
    calls: () => sink.calls,
    async close(result) {
      try {
        if (result !== undefined) thread.finish(result);
        await events.session.log.sync();
      } finally {
        events.session.log.close();
        await place.close();
      }
    },
  };
}
