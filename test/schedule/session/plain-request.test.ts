import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {loopRequest, plainRequest, type ScheduleRequest} from '../../../src/schedule/session/plain-request.ts';

/** A Monday, 10:00 in Berlin. */
const CLOCK = {now: Date.parse('2026-11-23T10:00:00+01:00'), timeZone: 'Europe/Berlin'};

const every = (interval: string, prompt: string): ScheduleRequest => ({kind: 'create', task: {prompt, every: interval}});
const at = (moment: string, prompt: string): ScheduleRequest => ({kind: 'create', task: {prompt, at: moment}});
const remind = (prompt: string, when: object): ScheduleRequest => ({kind: 'create', task: {prompt, isReminder: true, ...when}});
const cron = (expression: string, prompt: string): ScheduleRequest => ({kind: 'create', task: {prompt, cron: expression}});
const cancel = (id: string): ScheduleRequest => ({kind: 'cancel', id});
const list: ScheduleRequest = {kind: 'list'};

const REQUESTS: readonly (readonly [string, ScheduleRequest])[] = [
  ['every 2 hours run the tests', every('2 hours', 'run the tests')],
  ['Every 10m check the build', every('10m', 'check the build')],
  ['every 10 minutes, check the build', every('10 minutes', 'check the build')],
  ['every hour: summarize the new issues', every('hour', 'summarize the new issues')],
  ['every half an hour please look at CI', every('half an hour', 'please look at CI')],
  ['every 1 hour 30 minutes pull and run the tests', every('1 hour 30 minutes', 'pull and run the tests')],
  ['please every 5 minutes check the log', every('5 minutes', 'check the log')],
  ['every 2 hours /review', every('2 hours', '/review')],
  ['every day run npm audit', every('day', 'run npm audit')],
  ['run the tests every 2 hours', every('2 hours', 'run the tests')],
  ['check the build every 10m', every('10m', 'check the build')],
  ['please check CI every hour.', every('hour', 'check CI')],
  ['watch the deployment, every 5 minutes', every('5 minutes', 'watch the deployment')],
  ['every weekday at 7, update the dependencies and tell me', cron('0 7 * * 1-5', 'update the dependencies and tell me')],
  ['every day at 9:30 review the open pull requests', cron('30 9 * * *', 'review the open pull requests')],
  ['every friday at 3pm write the weekly report', cron('0 15 * * 5', 'write the weekly report')],
  ['every sunday at 12am run the slow tests', cron('0 0 * * 0', 'run the slow tests')],
  ['in 20 minutes run the tests', at('in 20 minutes', 'run the tests')],
  ['in an hour, check the deployment', at('in an hour', 'check the deployment')],
  ['in 1h30m tell me to go home', at('in 1h30m', 'tell me to go home')],
  ['at 15:00 run the tests', at('at 15:00', 'run the tests')],
  ['at 3pm: check the deployment', at('at 3pm', 'check the deployment')],
  ['tomorrow 9:00 update the dependencies', at('tomorrow 9:00', 'update the dependencies')],
  ['tomorrow at 9am, summarize the changes', at('tomorrow at 9am', 'summarize the changes')],
  ['today at 18:30 commit what is done', at('today at 18:30', 'commit what is done')],
  ['on friday at 9:00 write the report', at('on friday at 9:00', 'write the report')],
  ['friday 9:00 write the report', at('friday 9:00', 'write the report')],
  ['2026-11-24 09:00 run the benchmark', at('2026-11-24 09:00', 'run the benchmark')],
  ['remind me at 15:00 to push the branch', remind('push the branch', {at: 'at 15:00'})],
  ['remind me in 20 minutes to look at CI', remind('look at CI', {at: 'in 20 minutes'})],
  ['Remind me tomorrow at 9:00 about the release', remind('the release', {at: 'tomorrow at 9:00'})],
  ['remind me to push the branch at 15:00', remind('push the branch', {at: 'at 15:00'})],
  ['remind me to call Ada in 2 hours', remind('call Ada', {at: 'in 2 hours'})],
  ['remind me every 30 minutes to stand up', remind('stand up', {every: '30 minutes'})],
  ['remind me to drink every hour', remind('drink', {every: 'hour'})],
  ['please remind me on friday at 9:00 to file the report', remind('file the report', {at: 'on friday at 9:00'})],
  ['what scheduled tasks do I have', list],
  ['What scheduled tasks do I have?', list],
  ['which tasks are scheduled?', list],
  ['list my scheduled tasks', list],
  ['show scheduled tasks', list],
  ['show me all scheduled reminders', list],
  ['what is scheduled?', list],
  ['cancel task 1a2b3c4d', cancel('1a2b3c4d')],
  ['cancel 1A2B3C4D', cancel('1a2b3c4d')],
  ['stop the loop 1a2b3c4d', cancel('1a2b3c4d')],
  ['delete scheduled task 1a2b3c4d.', cancel('1a2b3c4d')],
  ['please remove the reminder 1a2b3c4d', cancel('1a2b3c4d')],
];

const PROMPTS: readonly string[] = [
  'cancel the order in db.ts',
  'cancel',
  'cancel the task',
  'cancel task 12',
  'cancel task 1a2b3c4d5e',
  'cancel 1a2b3c4d in db.ts',
  'delete the file deadbeef',
  'stop the server',
  'remove the scheduled tasks table',
  'cancel the subscription of every user',
  'every test fails, why?',
  'every 2 hours the build breaks',
  'every 5 minutes users get logged out',
  'every hour?',
  'every',
  'every 2 files run the formatter',
  'every day',
  'every day I see this error',
  'every now and then the test fails',
  'every 10 minutes run the tests?',
  'every function should have a docstring',
  'every 2 hours',
  'in 2 files the import is wrong',
  'in src/db.ts cancel the order',
  'in 20 minutes',
  'in 5 minutes we deploy, is main green?',
  'in an hour or so check the build',
  'in production every request fails',
  'in day run the tests',
  'make the poller run every 5 minutes',
  'update the code so that it polls every 10 seconds',
  'add a timer that fires every 2 hours',
  'check that the client polls every 5 minutes',
  'test if the job runs every day',
  'why does it run every 2 hours?',
  'fix the cron job to run every hour',
  'run the tests every time',
  'run every test',
  'explain why the cache expires every 24 hours',
  'check the config reload interval every 5 minutes',
  'show every 2 lines',
  'at 15:00 the server crashed',
  'at line 15 check the type',
  'at the end run the tests',
  '15:00 run failed',
  'at 15:00',
  'tomorrow we release, write the changelog',
  'tomorrow',
  'today the tests fail',
  'friday is the release',
  'on friday I deploy',
  '2026-11-24 09:00 ERROR check failed',
  'monday.ts has a bug',
  'on windows run fails',
  'remind me what this does',
  'remind me how to rebase',
  'remind me to push',
  'remind the user to log in at 15:00',

  'what tasks do I have?',
  'which tasks are there?',
  'what is scheduled in cron.ts',
  'list my tasks',
  'show the scheduled tasks table in db.ts',
  'explain the scheduled tasks',
  'scheduled tasks',
  'every 2 hours run the tests\nand then commit',
  '',
  '/loop 10m check',
  '#every hour run',
];

describe('plainRequest', () => {
  it.each(REQUESTS)('%j is a request', (line, request) => {
    expect(plainRequest(line, CLOCK)).toEqual(request);
  });

  it.each(PROMPTS)('%j is a prompt (issue: "cancel the order in db.ts" is a prompt)', (line) => {
    expect(plainRequest(line, CLOCK)).toBeUndefined();
  });

  it('a line that is longer than a request is a prompt', () => {
    expect(plainRequest(`every 2 hours run ${'the tests '.repeat(40)}`, CLOCK)).toBeUndefined();
  });

  const word = fc.constantFrom(
    'every',
    '2',
    'hours',
    'run',
    'the',
    'tests',
    'in',
    'at',
    '15:00',
    'remind',
    'me',
    'to',
    'cancel',
    'task',
    '1a2b3c4d',
    'tomorrow',
    'day',
    ',',
  );
  const anyLine = fc.oneof(
    fc.string(),
    fc.array(word, {maxLength: 9}).map((words) => words.join(' ')),
  );

  it('whatever else is typed, a task has words of the line alone and one timing (property)', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const request = plainRequest(line, CLOCK);
        if (request?.kind !== 'create') return;
        const {prompt, every: interval, cron: expression, at: moment} = request.task;
        expect(line.replaceAll(/[ \t]+/g, ' ')).toContain(prompt);
        expect(prompt.trim()).not.toBe('');
        expect([interval, expression, moment].filter((part) => part !== undefined)).toHaveLength(1);
      }),
      {numRuns: 1000},
    );
  });

  it('a word in front makes any request a prompt (property)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...REQUESTS.map(([line]) => line)), (line) => {
        expect(plainRequest(`Prompt: ${line}`, CLOCK)).toBeUndefined();
      }),
    );
  });
});

describe('loopRequest', () => {
  it.each([
    ['10m check the build', {prompt: 'check the build', every: '10m'}],
    ['check the build', {prompt: 'check the build', every: '10m'}],
    ['every 2 hours run the tests', {prompt: 'run the tests', every: '2 hours'}],
    ['2 hours run the tests', {prompt: 'run the tests', every: '2 hours'}],
    ['run the tests every 2 hours', {prompt: 'run the tests', every: '2 hours'}],
    ['hour by hour, check', {prompt: 'hour by hour, check', every: '10m'}],
    ['5 tests are flaky: find one', {prompt: '5 tests are flaky: find one', every: '10m'}],
    ['30s ping', {prompt: 'ping', every: '30s'}],
    ['5m first line\nsecond  line', {prompt: 'first line\nsecond  line', every: '5m'}],
    ['run every test', {prompt: 'run every test', every: '10m'}],
    ['', {prompt: '', every: '10m'}],
  ])('%j', (typed, task) => {
    expect(loopRequest(typed)).toEqual(task);
  });
});
