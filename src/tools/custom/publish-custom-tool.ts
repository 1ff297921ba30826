import * as z from 'zod/mini';
import {FettleError, toFettleError} from '../../base/errors.ts';
import type {Subject} from '../../policy/decision.ts';
import type {ToolContext} from '../context.ts';
import {readSubjects, writeSubjects} from '../operations/fs/path-subjects.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';
import type {Tool, ToolReply} from '../toolset.ts';
import {issueText} from './check-definition.ts';
import {definitionDigest} from '../arguments/definition-digest.ts';
import type {ToolStreamEvent} from '../stream-event.ts';
import type {CacheKeyContext, CustomSubject, CustomToolContext} from './define-custom-tool.ts';
import type {LoadedTool} from './load-tool-file.ts';
import {replyText} from './reply-text.ts';
import {runAuthorCode, type AuthorCallScope} from './run-tool-code.ts';
import {watchWrites} from './written-files.ts';

/** A custom tool as the rest of Fettle sees it. */
export interface PublishedTool {
  readonly tool: Tool;
  /** Resets the state of the tool for the next call. */
  reset(): void;
}

const STALL_MS = 120_000;

/** Publishes a tool for one thread: its instance is created at the first call, and keeps its state (vibe tool system › Getting Tool Instances). */
export function publishCustomTool(loaded: LoadedTool, config: unknown): PublishedTool {
  const {name, definition, prompt} = loaded;
  let instance: Instance | undefined;
  const tool: Tool = {
    name,
    description: prompt === undefined ? definition.description : `${definition.description}\n\n${prompt}`,
    input: definition.args as unknown as z.ZodMiniObject,
    aliases: {},
    sideEffect: definition.sideEffect,
    permission: name,
    ...(definition.cacheKey === undefined ? {} : {digest: digestOf(loaded, config)}),
    prepare: (args) => ({
      args,
      ...(definition.cacheKey === undefined
        ? {}
        : {cacheKey: (ctx: ToolContext) => cacheKeyOf(loaded, args, {workspace: ctx.workspace, config})}),
      resolve: async (resolving) => ({
        subjects: await guarded(loaded, async () => await subjectsOf(definition.permissionSubjects?.(args, config) ?? [], resolving)),
        async *run(ctx) {
          instance ??= {config, state: definition.state === undefined ? {} : z.parse(definition.state, {}), last: Promise.resolve()};
          return yield* runOnce(loaded, {args, ctx, instance});
        },
      }),
    }),
  };
  return {
    tool,
    reset() {
      instance = undefined;
    },
  };
}

interface Instance {
  readonly config: unknown;
  readonly state: unknown;
  /** Settles at the end of the last call, if calls wait for each other. */
  last: Promise<unknown>;
}

interface Call {
  readonly args: unknown;
  readonly ctx: ToolContext;
  readonly instance: Instance;
}

async function* runOnce(loaded: LoadedTool, call: Call): AsyncGenerator<ToolStreamEvent, ToolReply, undefined> {
  const {definition} = loaded;
  const {args, ctx, instance} = call;
  const done = definition.state === undefined ? undefined : await turnOf(instance, ctx.signal);
  try {
    const about = [definition.display?.status, definition.display?.call?.(args)].filter((text) => text !== undefined).join(': ');
    if (about !== '') yield {type: 'output', stream: 'progress', text: `${about}\n`};
    const changes = await watchWrites(definition.permissionSubjects?.(args, instance.config) ?? [], ctx);
    const result = yield* runAuthorCode({
      signal: ctx.signal,
      idleMs: definition.timeoutMs ?? STALL_MS,
      start: (scope) => definition.run(args, contextFor(call, scope)),
    });
    return {...replyOf(loaded, args, result), changes: await changes()};
  } catch (thrown) {
    throw failure(loaded, thrown);
  } finally {
    done?.();
  }
}

/** Waits until earlier calls have ended. The returned function lets the next one run. */
async function turnOf(instance: Instance, signal: AbortSignal): Promise<() => void> {
  const before = instance.last;
  const {promise, resolve} = Promise.withResolvers<void>();
  instance.last = before.then(() => promise);
  try {
    await orAbort(before, signal);
    return resolve;
  } catch (error) {
    resolve();
    throw error;
  }
}

function contextFor({ctx, instance}: Call, {signal, emit, waitFor}: AuthorCallScope): CustomToolContext<unknown, unknown> {
  const {askUser, agents, permit} = ctx;
  return {
    ...ctx,
    signal,
    config: instance.config,
    state: instance.state,
    emit,
    askUser: askUser === undefined ? undefined : (questions, until) => waitFor(askUser(questions, until)),
    agents: agents === undefined ? undefined : {...agents, run: (request, until) => waitFor(agents.run(request, until))},
    async permit(...subjects) {
      if (permit === undefined) throw new FettleError({code: 'DENIED', message: 'Nobody decides on permissions here.'});
      const asked = await subjectsOf(subjects, ctx);
      // Without a subject the policy would decide on the tool alone, which it has done already.
      if (asked.length > 0) await waitFor(permit(asked));
    },
  };
}

async function subjectsOf(subjects: readonly CustomSubject[], ctx: ToolContext): Promise<Subject[]> {
  const resolved = await Promise.all(
    subjects.map(async (subject): Promise<readonly Subject[]> => {
      if ('command' in subject) {
        return [{kind: 'command', command: subject.command, cwd: ctx.exec.cwd, workspace: ctx.workspace.root}];
      }
      return subject.write === true ? await writeSubjects(subject.path, ctx) : await readSubjects(subject.path, ctx);
    }),
  );
  return resolved.flat();
}

function replyOf({definition}: LoadedTool, args: unknown, returned: unknown): ToolReply {
  const fitting = z.safeParse(definition.result, returned);
  if (!fitting.success) {
    const what = returned === undefined ? 'It returned no result.' : `Its result does not fit its schema: ${issueText(fitting.error)}.`;
    throw new FettleError({code: 'UNAVAILABLE', message: what});
  }
  const result = fitting.data;
  const text = definition.render?.(result, args) ?? replyText(result);
  if (typeof text !== 'string') throw new FettleError({code: 'UNAVAILABLE', message: 'Its render did not return a string.'});
  const summary = definition.display?.result?.(result) ?? text.slice(0, 500);
  return {text, summary: summary.split('\n', 1)[0] ?? '', structured: result, isError: false, changes: []};
}

function digestOf({file, prompt, definition}: LoadedTool, config: unknown): string {
  const {args, description, run, render, cacheKey} = definition;
  return definitionDigest(args, [file, description, prompt, config, run, render, cacheKey]);
}

function cacheKeyOf(loaded: LoadedTool, args: unknown, {workspace, config}: CacheKeyContext<unknown>): string | undefined {
  try {
    const key: unknown = loaded.definition.cacheKey?.(args, {workspace, config});
    if (key === undefined || typeof key === 'string') return key;
  } catch (thrown) {
    throw failure(loaded, thrown);
  }
  throw failure(loaded, new FettleError({code: 'UNAVAILABLE', message: 'Its cacheKey returned neither a string nor undefined.'}));
}

async function guarded<T>(loaded: LoadedTool, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (thrown) {
    throw failure(loaded, thrown);
  }
}

/** Wraps an error of a call: adds the name of the tool and, if nothing else is known, the file for the person who debugs it. */
function failure({name, file}: LoadedTool, thrown: unknown): FettleError {
  const {code, message, hint} = toFettleError(thrown);
  if (code === 'CANCELLED' || code === 'DENIED') return toFettleError(thrown);
  const isOwn = code === 'INTERNAL' || code === 'UNAVAILABLE';
  return new FettleError({
    code: isOwn ? 'UNAVAILABLE' : code,
    message: `${name}: ${message}`,
    hint: hint ?? (isOwn ? `It is a tool of ${file}.` : undefined),
    cause: thrown,
  });
}
