import * as z from 'zod/mini';
import {counted} from '../../base/counted.ts';
import {createTask, deleteTask, listTasks, type TaskResult} from '../operations/schedule/session-tasks.ts';
import {defineTool, type Tool} from '../toolset.ts';
import * as alias from '../compat/parameter-aliases.ts';

const described = (text: string) => z.optional(z.string().check(z.describe(text)));

const create = defineTool({
  name: 'cron_create',
  description:
    'Schedule a prompt that this session runs later by itself, when it is idle: repeated by every or cron, or once by delay_minutes or run_at. Only if the user wants that. It ends with the session, at the latest after 72 hours.',
  input: z.object({
    prompt: z.string().check(z.describe('all that must be known then')),
    name: z.optional(z.string()),
    every: described('10m, 2 hours; at most a day'),
    cron: described('minute hour day month weekday, local time'),
    delay_minutes: z.optional(z.number().check(z.minimum(1))),
    run_at: described('15:00, tomorrow 9:00, RFC 3339'),
  }),
  aliases: alias.aliasesOf({
    prompt: ['task', 'message', 'instruction'],
    every: ['interval'],
    cron: ['schedule', 'expression', 'cron_expression'],
    run_at: ['at', 'when', 'time'],
  }),
  requires: 'schedule',
  operation: createTask,
  toArgs: ({prompt, name, every, cron, delay_minutes: minutes, run_at: at}) => ({
    prompt,
    name,
    every,
    cron,
    // Both at once are refused as two timings would be.
    at: minutes === undefined ? at : [`in ${minutes} minutes`, ...(at === undefined ? [] : [at])].join(' '),
  }),
  render(task) {
    const note = task.note === undefined ? '' : ` ${task.note}`;
    const text = `Scheduled ${task.id}: ${task.timing}, next ${task.next}.${note}`;
    return {text, summary: `${task.name}: ${task.timing}, next ${task.next}`};
  },
});

const list = defineTool({
  name: 'cron_list',
  description: 'List the scheduled tasks of this session.',
  input: z.object({}),
  requires: 'schedule',
  operation: listTasks,
  toArgs: () => ({}),
  render: ({tasks}) => ({text: tasks.map(line).join('\n') || 'Nothing is scheduled.', summary: counted(tasks.length, 'scheduled task')}),
});

const remove = defineTool({
  name: 'cron_delete',
  description: 'Cancel a scheduled task of this session.',
  input: z.object({id: z.string().check(z.describe('as cron_list shows it'))}),
  aliases: alias.aliasesOf({id: ['task_id', 'job_id', 'task']}),
  requires: 'schedule',
  operation: deleteTask,
  toArgs: ({id}) => ({id}),
  render: ({id, name}) => ({text: `Cancelled ${id}: ${name}`, summary: `cancelled ${name}`}),
});

/** The longest part of a prompt that a list shows. Characters. */
const MOST_SHOWN = 120;

function line({id, timing, next, prompt}: TaskResult): string {
  const text = prompt.replaceAll(/\s+/g, ' ');
  return `${id}  ${timing}, next ${next}: ${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}`;
}

/** The schedule of a session, under the names of VT Code › scheduling. */
export const SCHEDULE_TOOLS: readonly Tool[] = [create, list, remove];
