import {answerLoop, answerSchedule} from '../../../../schedule/session/answer-request.ts';
import {text, type OwnCommand} from './session-command.ts';

/** Slash commands for tasks that the session runs by itself. */
export const SCHEDULE_COMMANDS: readonly OwnCommand[] = [
  {
    name: 'loop',
    hint: '[INTERVAL] PROMPT',
    description: 'run a prompt again and again while this session is open; every 10 minutes where no interval is given',
    whileWorking: 'always',
    run: async ({conversation}, typed) => text(...(await answerLoop(conversation.schedule, typed))),
  },
  {
    name: 'schedule',
    hint: '[cancel [ID]]',
    description: 'list the scheduled tasks of this session; cancel one',
    whileWorking: 'always',
    async run({conversation: {schedule}}, typed) {
      const tasks = schedule.list();
      if (typed !== 'cancel' || tasks.length === 0) return text(...(await answerSchedule(schedule, typed === 'cancel' ? '' : typed)));
      const items = tasks.map(({id, name, timing, next}) => ({value: `cancel ${id}`, label: name, detail: `${timing} · next ${next}`}));
      return {type: 'pick', title: 'Cancel which task?', items};
    },
  },
];
