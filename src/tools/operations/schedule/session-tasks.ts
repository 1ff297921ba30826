import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import type {ToolContext} from '../../context.ts';
import {plainOperation} from '../../operation.ts';
import type {SessionTask, SessionTasks} from '../../ports/session-tasks.ts';

const task = z.object({
  id: z.string(),
  name: z.string(),
  prompt: z.string(),
  timing: z.string(),
  next: z.string(),
  note: z.optional(z.string()),
});

const createArgs = z.object({
  prompt: z.string(),
  name: z.optional(z.string()),
  every: z.optional(z.string()),
  cron: z.optional(z.string()),
  /** A moment, as people write it. */
  at: z.optional(z.string()),
});

const taskId = z.object({id: z.string()});
const nothing = z.object({});
const tasks = z.object({tasks: z.array(task)});

export type CreateTaskArgs = z.infer<typeof createArgs>;
export type TaskResult = z.infer<typeof task>;

/** The permission that rules name for all that a model does with the schedule of a session. */
const PERMISSION = 'schedule';

/**
 * Adds a prompt that the session runs later by itself (VT Code architecture › Scheduling). What it will do is asked about when it does it; that
 * it does something at all is asked about here. Throws USAGE, LIMIT as {@link SessionTasks.create}, UNAVAILABLE without a session that goes on.
 */
export const createTask = plainOperation<CreateTaskArgs, TaskResult>({
  id: 'schedule.create',
  permission: PERMISSION,
  args: createArgs,
  result: task,
  sideEffect: 'execute',
  subjects: async () => [],
  async run(request, ctx) {
    const {note, ...created} = await scheduleOf(ctx).create(request);
    return {...shown(created), note};
  },
});

/** Lists the tasks of the session, those of the person, too. */
export const listTasks = plainOperation<z.infer<typeof nothing>, z.infer<typeof tasks>>({
  id: 'schedule.list',
  permission: PERMISSION,
  args: nothing,
  result: tasks,
  sideEffect: 'pure',
  subjects: async () => [],
  run: async (_, ctx) => ({tasks: scheduleOf(ctx).list().map(shown)}),
});

/** Removes a task of the session. It may be one that the person relies on: that is asked about. Throws NOT_FOUND. */
export const deleteTask = plainOperation<z.infer<typeof taskId>, TaskResult>({
  id: 'schedule.delete',
  permission: PERMISSION,
  args: taskId,
  result: task,
  sideEffect: 'execute',
  subjects: async () => [],
  run: async ({id}, ctx) => shown(scheduleOf(ctx).cancel(id)),
});

function scheduleOf({schedule}: ToolContext): SessionTasks {
  if (schedule !== undefined) return schedule;
  throw new FettleError({
    code: 'UNAVAILABLE',
    message: 'This run ends with its answer: nothing can be scheduled in it.',
    hint: 'Tell the user to add a durable job: fettle schedule add --help',
  });
}

function shown({id, name, prompt, timing, next}: SessionTask): TaskResult {
  return {id, name, prompt, timing, next};
}
