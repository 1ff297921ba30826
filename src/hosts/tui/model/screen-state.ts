import {edit} from '../editor/edit.ts';
import type {AgentOverlay, Subagent} from '../agents/subagent.ts';
import {EMPTY_EDITOR, type InputState} from '../editor/editor-state.ts';
import type {HistorySearch} from '../editor/history-search.ts';
import {openPromptHistory, type PromptHistory} from '../editor/prompt-history.ts';
import {NEW_VIM, type VimState} from '../editor/vim.ts';
import type {ApprovalQuestion, FileDiff, PickerItem, SessionCommand, SessionInfo, ThemePreference, UserQuestion} from '../host-adapter.ts';
import type {ScreenSize} from '../surface/surface.ts';
import {NOTHING_LIVE, type CommandOverlay, type LiveState} from '../live-commands/live-state.ts';
import type {PlanDialog} from '../plan/plan-dialog.ts';
import type {TrustDialog} from '../trust/trust-dialog.ts';
import type {DialogBase} from './dialog-base.ts';
import type {Entry} from './entry.ts';
import type {Keymap} from '../keys/keymap.ts';
import {MARKDOWN_START, type Printed} from './printed.ts';

/** Everything that the screen shows. Changed by `update` alone. */
export interface ScreenState {
  readonly size: ScreenSize;
  /** Milliseconds of the clock at the last action. */
  readonly now: number;
  /** `Fettle 1.2.3`. */
  readonly appName: string;
  readonly folder: string;
  /** The path, if it is known. */
  readonly root?: string | undefined;
  readonly info: SessionInfo;
  readonly entries: readonly Entry[];
  readonly printed: Printed;
  readonly editor: InputState;
  /** True while no session is open: input waits for it. */
  readonly isOpening?: boolean | undefined;
  /** Absent while nothing runs. */
  readonly work?: RunningWork | undefined;
  /** True while a task of the session is due, and something runs. */
  readonly isDue?: boolean | undefined;
  /** Typed ahead, oldest first. */
  readonly queue: readonly string[];
  /** The entry of the queue that is chosen. */
  readonly queueAt?: number | undefined;
  readonly todo: readonly TodoLine[];
  readonly isTodoShown: boolean;
  readonly agents: readonly AgentLine[];
  /** Every one that the conversation has had, oldest first. */
  readonly subagents: readonly Subagent[];
  /** Commands that go on after their call. */
  readonly live: LiveState;
  /** Dialogs waiting for an answer, oldest first: the first is shown. */
  readonly dialogs: readonly Dialog[];
  readonly overlay?: Overlay | undefined;
  readonly suggestions?: Suggestions | undefined;
  /** Themes that `/theme` offers. */
  readonly themes: readonly ThemePreference[];
  readonly commands: readonly SessionCommand[];
  readonly history: PromptHistory;
  readonly keymap: Keymap;
  /** Present if the keys of vim are on. */
  readonly vim?: VimState | undefined;
  /** Output of a command of the person, for the status line. */
  readonly statusText?: string | undefined;
  /** The time of the last Ctrl-C, while a second one would leave. */
  readonly leaveArmedAt?: number | undefined;
  readonly lastKeyAt: number;
}

export interface RunningWork {
  readonly startedAt: number;
  /** Time of the newest event: without one for ten seconds, the person is notified. */
  readonly heardAt: number;
  readonly isCancelling: boolean;
  readonly what: 'turn' | 'shell' | 'command';
}

export interface TodoLine {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';
}

export interface AgentLine {
  readonly id: string;
  readonly profile: string;
  readonly status: string;
  readonly task: string;
  /** The newest thing that it did. */
  readonly doing?: string | undefined;
}

export type Dialog = ApprovalDialog | QuestionsDialog | TrustDialog | PlanDialog;

export interface ApprovalDialog extends DialogBase {
  readonly type: 'approval';
  readonly question: ApprovalQuestion;
  readonly choice: number;
  /** The first row shown of its subject. */
  readonly scroll: number;
  /** The rules as edited; absent: as offered. */
  readonly rules?: readonly string[] | undefined;
  /** Text being written: a rule, or why it is denied. */
  readonly writing?: {readonly what: 'rule' | 'feedback'; readonly editor: InputState} | undefined;
  /** Hunks to apply, `<diff>:<hunk>`, while they are chosen one by one. */
  readonly hunks?: {readonly at: number; readonly chosen: readonly string[]} | undefined;
}

export interface QuestionsDialog extends DialogBase {
  readonly type: 'questions';
  readonly questions: readonly UserQuestion[];
  readonly tab: number;
  /** For each question: the option under the cursor, and those that are chosen. */
  readonly at: readonly number[];
  readonly chosen: readonly (readonly string[])[];
  readonly writing?: InputState | undefined;
}

export type Overlay = PickerOverlay | PagerOverlay | DiffOverlay | AgentOverlay | HelpOverlay | CommandOverlay | HistoryOverlay;

export interface HelpOverlay {
  readonly type: 'help';
  /** Rows above the first one shown. */
  readonly scroll: number;
}

export interface PickerOverlay {
  readonly type: 'picker';
  readonly title: string;
  /** The command that the choice is for. */
  readonly command: string;
  readonly items: readonly PickerItem[];
  readonly query: string;
  readonly at: number;
}

/** The whole conversation with everything in it, on the alternate screen. */
export interface PagerOverlay extends PagerPlace {
  readonly type: 'pager';
}

/** Changed files: their list, or the changes of one of them, on the alternate screen. */
export interface DiffOverlay extends PagerPlace {
  readonly type: 'diff';
  readonly title: string;
  readonly files: readonly FileDiff[];
  /** The file that is chosen in the list. */
  readonly file: number;
  /** Its changes are shown. */
  readonly isOpen: boolean;
}

/** The part of a long text that a pager shows. */
export interface PagerPlace {
  /** The first section shown (an entry of the conversation), and how many of its rows are above the screen. */
  readonly entry: number;
  readonly skip: number;
  readonly query?: string | undefined;
  readonly isTyping?: boolean | undefined;
}

export interface HistoryOverlay {
  readonly type: 'history';
  readonly search: HistorySearch;
}

/** The list below the line: commands after `/`, files after `@`. */
export interface Suggestions {
  readonly kind: 'command' | 'file';
  /** Part of the text that a choice replaces. */
  readonly from: number;
  readonly to: number;
  readonly query: string;
  readonly items: readonly PickerItem[];
  readonly at: number;
}

export function initialState(options: {
  readonly size: ScreenSize;
  readonly now: number;
  /** `Fettle 1.2.3`. */
  readonly appName: string;
  readonly folder: string;
  readonly root?: string | undefined;
  readonly info?: SessionInfo | undefined;
  readonly prompts?: readonly string[] | undefined;
  /** Stands on the line at the beginning. */
  readonly draft?: string | undefined;
  readonly themes?: readonly ThemePreference[] | undefined;
  readonly keymap: Keymap;
  readonly hasVim?: boolean | undefined;
  readonly isOpening?: boolean | undefined;
}): ScreenState {
  return {
    size: options.size,
    now: options.now,
    appName: options.appName,
    folder: options.folder,
    root: options.root,
    info: options.info ?? {},
    isOpening: options.isOpening,
    entries: [],
    printed: {entries: 0, offset: 0, markdown: MARKDOWN_START},
    editor: edit(EMPTY_EDITOR, {type: 'set', text: options.draft ?? ''}),
    queue: [],
    todo: [],
    isTodoShown: true,
    agents: [],
    subagents: [],
    live: NOTHING_LIVE,
    dialogs: [],
    themes: options.themes ?? ['auto', 'dark', 'light', 'none'],
    commands: [],
    history: openPromptHistory(options.prompts ?? []),
    keymap: options.keymap,
    vim: options.hasVim === true ? NEW_VIM : undefined,
    lastKeyAt: Number.NEGATIVE_INFINITY,
  };
}
