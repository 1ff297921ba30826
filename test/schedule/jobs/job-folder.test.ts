import {chmod, mkdir, readdir, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {readJob, readJobs, type FoundJob} from '../../../src/schedule/jobs/job-folder.ts';
import {createJobFile, removeJobFile} from '../../../src/schedule/jobs/write-job.ts';
import {jobText} from '../../../src/schedule/jobs/job-text.ts';
import {scratch} from '../../support/scratch.ts';
import {aJob} from './a-job.ts';

const brief = (found: readonly FoundJob[], root: string): unknown =>
  found.map((one) => [one.name, 'job' in one ? 'job' : one.problems.map((text) => text.replaceAll(`${root}/`, ''))]);

describe('the folder of jobs', () => {
  it('has one file for each job, of its owner alone; without a folder there are none', async () => {
    const folder = join(await scratch(), 'new');
    const before = await readJobs(folder);
    await createJobFile(folder, 'nightly-checks', jobText(aJob()));
    const {mode} = await stat(join(folder, 'nightly-checks.toml'));
    expect([before, mode & 0o777, (await stat(folder)).mode & 0o777, await readdir(folder)]).toEqual([
      [],
      0o600,
      0o700,
      ['nightly-checks.toml'],
    ]);
    expect(await readJobs(folder)).toEqual([{name: 'nightly-checks', file: join(folder, 'nightly-checks.toml'), job: aJob()}]);
  });

  it('a name is never overwritten, also not by one who is as quick', async () => {
    const folder = await scratch();
    await chmod(folder, 0o700);
    const tried = await Promise.allSettled(['1h', '2h', '3h'].map((every) => createJobFile(folder, 'a', every)));
    expect(tried.map(({status}) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect(createJobFile(folder, 'a', '')).rejects.toMatchObject({code: 'USAGE', message: 'There is a job named a already.'});
    expect(await readdir(folder)).toEqual(['a.toml']);
  });

  it('a file that cannot be used is named, and the others are read', async () => {
    const root = await scratch({
      'good.toml': jobText(aJob()),
      'broken.toml': 'prompt = ',
      'open.toml': jobText(aJob()),
      'Bad Name.toml': jobText(aJob()),
      'large.toml': `# ${'x'.repeat(256 * 1024)}`,
      target: jobText(aJob()),
      'notes.md': 'x',
      '.hidden.toml': 'x',
    });
    await chmod(root, 0o700);
    await chmod(join(root, 'open.toml'), 0o622);
    await symlink('target', join(root, 'link.toml'));
    await mkdir(join(root, 'folder.toml'));
    expect(brief(await readJobs(root), root)).toEqual([
      ['Bad Name', ['Bad Name.toml: the name of a job has lower case letters, digits and single hyphens, at most 64 characters']],
      ['broken', ['broken.toml:1: not valid TOML: invalid value (column 10)']],
      ['folder', ['folder.toml: not a regular file']],
      ['good', 'job'],
      ['large', ['large.toml: larger than 256 KB, which no job is']],
      ['link', ['link.toml: a link is not read as a job; put the file itself here']],
      ['open', ['open.toml: others can write it, so it is not used; `chmod 600` it']],
    ]);
  });

  it('a folder that others can write has no jobs', async () => {
    const root = await scratch({'good.toml': jobText(aJob())});
    await chmod(root, 0o777);
    await expect(readJobs(root)).rejects.toMatchObject({
      code: 'CONFIG',
      message: `${root}: others can write this folder, so none of its jobs is used; \`chmod 700\` it`,
    });
  });

  it('one job is found by its name alone, and removed', async () => {
    const root = await scratch({'home/good.toml': jobText(aJob()), 'secret.toml': ''});
    const folder = join(root, 'home');
    await writeFile(join(folder, 'broken.toml'), '');
    await chmod(folder, 0o700);
    expect([await readJob(folder, '../secret'), await readJob(folder, 'none'), (await readJob(folder, 'good'))?.name]).toEqual([
      undefined,
      undefined,
      'good',
    ]);
    expect([await removeJobFile(folder, 'good'), await removeJobFile(folder, 'good'), await readdir(folder)]).toEqual([
      true,
      false,
      ['broken.toml'],
    ]);
  });
});
