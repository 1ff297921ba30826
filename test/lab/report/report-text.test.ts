import {describe, expect, it} from 'vitest';
import {makeReport} from '../../../src/lab/report/make-report.ts';
import {reportText} from '../../../src/lab/report/text/report-text.ts';
import {result, results, runOf} from './results.ts';

describe('the report in a terminal', () => {
  it('has everything that a person decides by', () => {
    const large = results({sum: '+++', sort: '++-', copy: '++!', parse: '+-+', rename: '+++', total: '+++', merge: '+++'});
    const little = [
      ...results(
        {sum: '---', sort: '---', copy: '---', parse: '---', total: '---', merge: '---'},
        {key: {model: 'acme/little'}, costUsd: 0.0012},
      ),
      result({key: {task: 'rename', model: 'acme/little'}, outcome: 'failed', failure: 'time-limit', agentMs: 600_000}),
    ];
    const run = runOf([...large, ...little]);
    const tasks = run.tasks.map(({id}, at) => ({id, labels: {language: at % 2 === 0 ? 'python' : 'shell'}}));
    const text = reportText(makeReport({...run, tasks, notRun: [{id: 'gpu', reason: 'needs a GPU, which this machine does not have'}]}));
    expect(text).toMatchInlineSnapshot(`
      "Run night: suite small, 7 tasks, begun 2023-11-14 22:13 UTC
      40 of 42 rollouts done: 18 passed, 21 failed, 1 not judged
      $0.46; tokens: 40.0k in (24.0k cached), 4.0k out
      ! 2 rollouts of the plan are not done yet: the figures are of those that are.
      ! 1 rollout failed by the infrastructure and counts neither as passed nor as
        failed.
      ! 1 task of the suite is not run and not counted.

      Variants
                              pass@1  95 % interval  pass@3  cost each  median    p90
        acme/large · fettle   90.5 %   64.3 to 98.0   100 %      $0.02   2.0 s  2.0 s
        acme/little · fettle     0 %    0.0 to 46.1     0 %   $0.00219   2.0 s  2.0 s

      Failures
        acme/large · fettle: wrong answer 2, infrastructure 1
        acme/little · fettle: wrong answer 18, time limit 1

      By language, all variants together
                tasks  pass@1  95 % interval
        python      4  53.8 %   24.1 to 81.0
        shell       3  38.9 %    9.4 to 79.7

      Comparison, task by task
        acme/large · fettle passes more than acme/little · fettle: +90.5 points on 7
          tasks (95 % interval +30.0 to +100.0, p = 0.016).

      Tasks, hardest first: passed / judged attempts
        A acme/large · fettle
        B acme/little · fettle
                     A    B
        parse      2/3  0/3
        sort       2/3  0/3
        copy    2/2 !1  0/3
        merge      3/3  0/3
        sum        3/3  0/3
        total      3/3  0/3
        rename     3/3  0/1

      Not run
        gpu: needs a GPU, which this machine does not have

      Failed by the infrastructure
        copy/acme/large/fettle/3: no reason was noted

      Rates are means over tasks; pass@k is the unbiased estimate. Intervals treat the
      tasks as a sample of tasks like these: Wilson with the effective number of
      trials. Comparisons: sign-flip test of the differences by task, with Holm’s
      correction.
      "
    `);
  });

  it('has lines of at most 80 columns, whatever the names', () => {
    const long = 'a'.repeat(90);
    const all = [
      ...results({[long]: '+-', 短い名前: '-+'}, {key: {model: `${long}/${long}`}}),
      ...results({[long]: '-!'}, {key: {toolset: '道具'.repeat(40)}}),
    ];
    const text = reportText(makeReport(runOf(all)));
    const wide = text
      .split('\n')
      .filter((line) => Array.from(line).reduce((sum, char) => sum + (/[\u3000-\u9fff]/.test(char) ? 2 : 1), 0) > 80);
    // A word is not broken: it is the name of a rollout or of a variant, to be copied.
    expect(wide.filter((line) => /\S \S+ \S/.test(line.trim()) && !line.includes(long))).toEqual([]);
  });

  it('has letters for variants whose names do not fit beside their figures, so that models of one family do not look alike', () => {
    const models = ['anthropic/claude-fable-5-20261001', 'anthropic/claude-fable-5-20261101'];
    const all = models.flatMap((model) => results({sum: '++', sort: '+-'}, {key: {model}}));
    const text = reportText(makeReport(runOf(all)), 60);
    expect(text.slice(text.indexOf('Variants'), text.indexOf('\n\nFailures'))).toMatchInlineSnapshot(`
      "Variants
        A anthropic/claude-fable-5-20261001 · fettle
        B anthropic/claude-fable-5-20261101 · fettle
           pass@1  95 % interval  pass@2  cost each  median    p90
        A    75 %    1.4 to 99.8   100 %      $0.02   2.0 s  2.0 s
        B    75 %    1.4 to 99.8   100 %      $0.02   2.0 s  2.0 s"
    `);
    expect(text.split('\n').filter((line) => line.length > 60)).toEqual([]);
  });

  it('lists tasks that did not always pass, and counts the others', () => {
    const text = (outcomes: Record<string, string>): string => {
      const whole = reportText(makeReport(runOf(results(outcomes))));
      return whole.slice(whole.indexOf('Tasks'), whole.indexOf('\n\nRates'));
    };
    expect(text({sum: '++', sort: '+', copy: '+-', find: '--'})).toBe(
      'Tasks, hardest first: passed / judged attempts\n  find  0/2\n  copy  1/2\n  2 tasks passed at every judged attempt.',
    );
    expect(text({sum: '+'})).toBe('Tasks\n  1 task passed at every judged attempt.');
  });

  it('says a reason once, however many rollouts it broke', () => {
    const broken = results({sum: '!!!!', sort: '!'}, {note: 'The disk is full.'});
    const text = reportText(makeReport(runOf([...broken, result({key: {task: 'copy'}, outcome: 'infrastructure', note: 'No key.'})])));
    expect(text.slice(text.indexOf('Failed by'))).toMatchInlineSnapshot(`
      "Failed by the infrastructure
        sum/acme/large/fettle/1, sum/acme/large/fettle/2, sum/acme/large/fettle/3
          and 2 more: The disk is full.
        copy/acme/large/fettle/1: No key.
      "
    `);
  });

  it('steers no terminal', () => {
    const evil = '\u001b]0;x\u0007\u001b[2J\u202e\nname';
    const text = reportText(
      makeReport(
        runOf(
          [result({key: {task: evil, model: evil, toolset: evil}, outcome: 'infrastructure', note: evil}), result({key: {model: evil}})],
          {
            name: evil,
            suiteName: evil,
            notRun: [{id: evil, reason: evil}],
          },
        ),
      ),
    );
    expect(/[^\P{Cc}\n]|\u202e/u.test(text)).toBe(false);
  });

  it('says of a run without results that there are none', () => {
    expect(reportText(makeReport(runOf([], {tasks: [{id: 'sum'}], models: ['acme/large'], toolsets: ['fettle']})))).toMatchInlineSnapshot(`
      "Run night: suite small, 1 task, begun 2023-11-14 22:13 UTC
      0 of 1 rollout done: 0 passed, 0 failed
      $0.00; tokens: 0 in (0 cached), 0 out
      ! 1 rollout of the plan is not done yet: the figures are of those that are.

      Variants
                             pass@1  95 % interval  cost each  median  p90
        acme/large · fettle       –              –          –       –    –

      Tasks
        1 task has no result yet.
      "
    `);
  });
});
