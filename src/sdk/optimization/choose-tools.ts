import {visibleText} from '../../base/visible-text.ts';
import {assertCanChooseTools, toolDecision, type ToolDecision} from '../settings/auto-choices.ts';
import {AUTO_TOOLS} from '../settings/auto-model.ts';
import type {OpenThreadOptions} from '../thread/thread-options.ts';
import {resumedRun, type NewestRun} from './newest-run.ts';
import {taskFeatures} from './task-features.ts';
import {toolReasons, type MadeChoice, type ThreadChoices} from './thread-choices.ts';
import {openThreadOptimizer, type ThreadOptimizer} from './thread-optimizer.ts';
import {usableDialects, usableToolsets, type Usable} from './usable-tools.ts';

type Choosable = OpenThreadOptions & {readonly choices: ThreadChoices};

/**
 * Replaces the toolset and the edit dialect that are `auto`, for the model of the settings: by those of the session where it is resumed with the same
 * model, else by what was learned for this model. Throws CONFIG if no candidate can be used.
 */
export async function chooseTools(options: Choosable): Promise<Pick<Choosable, 'session' | 'choices'>> {
  const {session, choices} = options;
  const {settings} = session;
  const {toolset, edit, notices} = await chosenTools(options);
  const chosen = {
    ...settings,
    ...(toolset === undefined ? {} : {toolset: toolset.name}),
    edit_dialect: edit?.dialect ?? (settings.edit_dialect === AUTO_TOOLS ? 'own' : settings.edit_dialect),
  };
  return {
    session: {...session, settings: chosen, toolsetChosen: toolset === undefined ? undefined : true},
    choices: {...choices, toolset, edit, notices: [...choices.notices, ...notices]},
  };
}

async function chosenTools(options: OpenThreadOptions): Promise<Pick<ThreadChoices, 'toolset' | 'edit' | 'notices'>> {
  const {settings} = options.session;
  assertCanChooseTools(settings);
  const resumed = await resumedRun(options);
  const optimizer = await openThreadOptimizer(options.session);
  try {
    const choosing = {options, optimizer, kept: resumed?.model === settings.model ? resumed : undefined};
    const toolset = settings.toolset === AUTO_TOOLS ? await chosenToolset(choosing) : undefined;
    const edit = await chosenDialect(choosing, toolset?.made.name ?? settings.toolset);
    const made = {toolset: toolset?.made, edit: edit?.made};
    const leftOut = [toolset, edit].flatMap((one) => one?.leftOut ?? []).map(visibleText);
    return {...made, notices: [...toolReasons({...made, notices: []}).map(sentence), ...optimizer.close(), ...leftOut]};
  } catch (error) {
    optimizer.close();
    throw error;
  }
}

interface Choosing {
  readonly options: OpenThreadOptions;
  readonly optimizer: ThreadOptimizer;
  /** The run that is resumed with the same model. */
  readonly kept: NewestRun | undefined;
}

interface Chosen<Made> {
  readonly made: Made;
  readonly leftOut: readonly string[];
}

async function chosenToolset(choosing: Choosing): Promise<Chosen<NonNullable<ThreadChoices['toolset']>>> {
  const candidates = await usableToolsets(choosing.options.session.settings);
  const {action: name, ...made} = await chosen(choosing, 'toolset', candidates);
  return {made: {...made, name}, leftOut: candidates.leftOut};
}

/** Undefined where a person named the dialect, and where nothing may be edited. */
async function chosenDialect(choosing: Choosing, toolset: string): Promise<Chosen<NonNullable<ThreadChoices['edit']>> | undefined> {
  const {session, readOnly} = choosing.options;
  if (session.settings.edit_dialect !== AUTO_TOOLS || readOnly === true) return undefined;
  const candidates = await usableDialects({...session.settings, toolset});
  const {action: dialect, ...made} = await chosen(choosing, 'edit', candidates);
  return {made: {...made, dialect}, leftOut: candidates.leftOut};
}

async function chosen<Action extends string>(
  {options, optimizer, kept}: Choosing,
  kind: ToolDecision,
  {usable}: Usable<Action>,
): Promise<MadeChoice & {readonly action: Action}> {
  const before = kind === 'toolset' ? kept?.toolset : kept?.dialect;
  const same = usable.find((one) => one === before);
  if (same !== undefined) return {action: same, why: KEPT[kind], choice: kept?.choices[kind]};
  const {model = '', optimization} = options.session.settings;
  return optimizer.select(usable, {
    decision: toolDecision(kind, model),
    exploreShare: optimization.explore_share,
    features: await taskFeatures(options),
  });
}

const KEPT: Readonly<Record<ToolDecision, string>> = {
  toolset: 'the session keeps its toolset',
  edit: 'the session keeps its edit dialect',
};

function sentence(reason: string): string {
  return visibleText(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);
}
