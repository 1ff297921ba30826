import {EMPTY_EDITOR, type EditorState} from '../editor/editor-state.ts';
import type {HistorySearch} from '../editor/history-search.ts';
import {openHistory, type PromptHistory} from '../editor/prompt-history.ts';
import {NEW_VIM, type VimState} from '../editor/vim.ts';
import type {ApprovalQuestion, PickerItem, SessionCommand, SessionInfo, UserQuestion} from '../host-adapter.ts';
import type {ScreenSize} from '../runner/surface.ts';
import {MARKDOWN_START, type MarkdownState} from '../views/markdown/render-markdown.ts';
import type {PlanDialog} from '../plan/plan-dialog.ts';
import type {TrustDialog} from '../trust/trust-dialog.ts';
import type {DialogBase} from './dialog-base.ts';
import type {Entry} from './entry.ts';
import type {Keymap} from './keymap.ts';

/** Everything that the screen shows. Changed by `update` alone. */
export interface ScreenState {
  readonly size: ScreenSize;
  /** Milliseconds of the clock at the last action. */
  readonly now: number;
  /** `Fettle 1.2.3`. */
  readonly appName: string;
  readonly folder: string;
  /** The path of it, where it is known. */
  readonly root?: string | undefined;
  readonly info: SessionInfo;
  readonly entries: readonly Entry[];
  /** Entries before it stand in the scrollback, and so do the first `offset` characters of the text of the next. */
  readonly printed: Printed;
  readonly editor: EditorState;
  /** Absent while nothing runs. */
  readonly work?: Work | undefined;
  /** Typed ahead, oldest first. */
  readonly queue: readonly string[];
  /** The entry of the queue that is chosen. */
  readonly queueAt?: number | undefined;
  readonly todo: readonly TodoLine[];
  readonly isTodoShown: boolean;
  readonly agents: readonly AgentLine[];
  /** What waits for an answer, oldest first: the first is shown. */
  readonly dialogs: readonly Dialog[];
  readonly overlay?: Overlay | undefined;
  readonly suggestions?: Suggestions | undefined;
  readonly commands: readonly SessionCommand[];
  readonly history: PromptHistory;
  readonly keymap: Keymap;
  /** Present where the keys of vim are on. */
  readonly vim?: VimState | undefined;
  /** Told by a command of the person, for the status line. */
  readonly statusText?: string | undefined;
  /** When Ctrl-C was pressed last where a second press leaves. */
  readonly leaveArmedAt?: number | undefined;
  readonly lastKeyAt: number;
}

export interface Printed {
  readonly entries: number;
  readonly offset: number;
  /** How its Markdown goes on there. */
  readonly markdown: MarkdownState;
}

export interface Work {
  readonly startedAt: number;
  /** Of the newest event: without one for ten seconds, the person is told. */
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
  /** First row shown of what it is about. */
  readonly scroll: number;
  /** The rules as edited; absent: as offered. */
  readonly rules?: readonly string[] | undefined;
  /** Text being written: a rule, or why it is denied. */
  readonly writing?: {readonly what: 'rule' | 'feedback'; readonly editor: EditorState} | undefined;
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
  readonly writing?: EditorState | undefined;
}

export type Overlay = PickerOverlay | PagerOverlay | {readonly type: 'help'; readonly scroll: number} | HistoryOverlay;

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
export interface PagerOverlay {
  readonly type: 'pager';
  /** The first entry shown, and how many of its rows are above the screen. */
  readonly entry: number;
  readonly skip: number;
  readonly query?: string | undefined;
  readonly isTyping?: boolean | undefined;
}

export interface HistoryOverlay {
  readonly type: 'history';
  readonly search: HistorySearch;
}

/** The list below the line: commands behind `/`, files behind `@`. */
export interface Suggestions {
  readonly kind: 'command' | 'file';
  /** Part of the text that a choice replaces. */
  readonly from: number;
  readonly to: number;
  readonly query: string;
  readonly items: readonly PickerItem[];
  readonly at: number;
}

export function initialState(given: {
  readonly size: ScreenSize;
  readonly now: number;
  /** `Fettle 1.2.3`. */
  readonly appName: string;
  readonly folder: string;
  readonly root?: string | undefined;
  readonly info?: SessionInfo | undefined;
  readonly prompts?: readonly string[] | undefined;
  readonly keymap: Keymap;
  readonly hasVim?: boolean | undefined;
}): ScreenState {
  return {
    size: given.size,
    now: given.now,
    appName: given.appName,
    folder: given.folder,
    root: given.root,
    info: given.info ?? {},
    entries: [],
    printed: {entries: 0, offset: 0, markdown: MARKDOWN_START},
    editor: EMPTY_EDITOR,
    queue: [],
    todo: [],
    isTodoShown: true,
    agents: [],
    dialogs: [],
    commands: [],
    history: openHistory(given.prompts ?? []),
    keymap: given.keymap,
    vim: given.hasVim === true ? NEW_VIM : undefined,
    lastKeyAt: Number.NEGATIVE_INFINITY,
  };
}
