import * as z from 'zod/mini';
import {counted} from '../../base/counted.ts';
import {exitPlan} from '../operations/meta/exit-plan.ts';
import {loadSkill} from '../operations/meta/load-skill.ts';
import {defineTool, type Tool} from '../toolset.ts';
import {framed} from './frame.ts';
import {planText} from './plan-text.ts';
import * as alias from '../compat/parameter-aliases.ts';

const skill = defineTool({
  name: 'skill',
  description: 'Load the instructions of a skill.',
  input: z.object({name: z.string()}),
  aliases: alias.aliasesOf({name: ['skill', 'skill_name', 'command']}),
  requires: 'skills',
  operation: loadSkill,
  toArgs: ({name}) => ({name}),
  render({name, body, folder, files}) {
    const beside = files.length === 0 ? '' : `\n\nFiles of the skill, in ${folder}:\n${files.map((file) => `- ${file}`).join('\n')}`;
    return {text: framed('skill_content', {name}, body) + beside, summary: `${name}: ${counted(body.split('\n').length, 'line')}`};
  },
});

const exitPlanMode = defineTool({
  name: 'exit_plan_mode',
  description: 'When the plan is ready: show it to the user and ask whether to carry it out. Changes are possible once they accept.',
  input: z.object({plan: z.optional(z.string().check(z.describe('the whole plan, as Markdown')))}),
  requires: 'plan_mode',
  operation: exitPlan,
  toArgs: ({plan}) => ({plan}),
  render: planText,
});

/** The tools for skills and plans, the same in all toolsets that have them. */
export const PLAN_TOOLS: readonly Tool[] = [skill, exitPlanMode];
