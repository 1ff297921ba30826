import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import type {ExecOptions, SettingOptions} from '../../command-line/run-options.ts';

/** The options of `fettle schedule add`. */
export interface AddOptions extends SettingOptions, Pick<ExecOptions, 'verify' | 'allowDomain'> {
  readonly prompt?: string;
  readonly reminder?: string;
  readonly every?: string;
  readonly cron?: string;
  readonly at?: string;
  readonly name?: string;
  readonly workspace?: string;
  readonly missed?: JobDefinition['missed'];
  readonly overlap?: JobDefinition['overlap'];
  readonly notify?: JobDefinition['notify'];
}

export interface LogOptions {
  readonly run?: string;
  readonly events?: true;
  readonly stderr?: true;
}
