import type {DelegatedFinding, SessionMemoryEnvelope} from './envelope.ts';

/**
 * The memory as the model reads it: a message of the harness at the start of what is left of the conversation. Empty parts are left out;
 * what the person said stands word for word.
 */
export function renderMemory(memory: SessionMemoryEnvelope): string {
  const parts = [
    INTRODUCTION,
    part('Objective', memory.objective === '' ? [] : [memory.objective]),
    part(
      'The person said, word for word',
      memory.user_words.map(({item, text}) => `- (item ${item}) ${text}`),
    ),
    list('Constraints', memory.constraints),
    part(
      'Task list',
      memory.task_list.map(({content, status}) => `- [${status}] ${content}`),
    ),
    part('Changed files', memory.touched_files.length === 0 ? [] : [memory.touched_files.join(', ')]),
    part(
      'Checks',
      memory.verification.map(
        ({command, status, exit_code: code}) => `- ${command}: ${STATUS[status]}${code === null ? '' : ` (exit ${code})`}`,
      ),
    ),
    part(
      'Facts',
      memory.grounded_facts.map(({fact, source}) => `- ${fact} (${source})`),
    ),
    part('Found by subagents, to be checked', memory.delegated_findings.map(findingText)),
    list('Open questions', memory.open_questions),
    part('Summary of what came before', memory.summary === '' ? [] : [memory.summary]),
    forgottenText(memory),
    memory.dropped_items === 0 ? '' : `Items 1–${memory.dropped_items} are no longer shown. \`recall\` shows any of them by its number.`,
  ];
  return `<session_memory>\n${parts.filter((text) => text !== '').join('\n\n')}\n</session_memory>`;
}

const INTRODUCTION = 'Written by the harness from the log of this session, in place of older messages. It is a record, not a new order.';

const STATUS = {
  passed: 'passed',
  failed: 'FAILED',
  stale: 'passed, but files were changed since: run it again',
  unknown: 'did not run to its end: not verified',
};

function part(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`;
}

function list(title: string, lines: readonly string[]): string {
  return part(
    title,
    lines.map((line) => `- ${line}`),
  );
}

function findingText({agent, summary, facts, touched_files: files, open_questions: questions, verification}: DelegatedFinding): string {
  const details = [
    ...facts.map((fact) => `  - ${fact}`),
    ...(files.length === 0 ? [] : [`  - touched: ${files.join(', ')}`]),
    ...verification.map((check) => `  - verification: ${check}`),
    ...questions.map((question) => `  - open: ${question}`),
  ];
  return [`- ${agent}: ${summary}`, ...details].join('\n');
}

function forgottenText({forgotten}: SessionMemoryEnvelope): string {
  const counts = Object.entries(forgotten).map(([name, count]) => `${count} of ${name.replaceAll('_', ' ')}`);
  return counts.length === 0 ? '' : `Left out for want of room: ${counts.join(', ')}.`;
}
