import type {AgentStatusChanged, ThreadEvent} from '../../protocol/events.ts';
import type {LiveCommand, LiveContent} from '../../protocol/live-command.ts';
import type {DiffHunk} from '../../text/diff/hunks.ts';
import type {PlanQuestion, PlanReply} from './plan/plan-question.ts';
import type {TrustQuestion, TrustReply} from './trust/trust-question.ts';

/** The display of a session: inline in the terminal's own scrollback, or on the alternate screen. `auto` is inline. */
export type SurfacePreference = 'auto' | 'inline' | 'alternate';

/** Colours: for a dark or a light background, found out from the terminal (`auto`), or none. */
export type ThemePreference = 'auto' | 'dark' | 'light' | 'none';

/** Protocols that terminals offer to report keys; each is used where the terminal says that it knows it. */
export interface KeyboardProtocolSettings {
  /** The keyboard protocol of kitty: distinguishes Shift-Enter from Enter, and Esc from Alt. */
  readonly enabled: boolean;
  readonly reportEventTypes: boolean;
  readonly reportAlternateKeys: boolean;
}

/** Adapter between an agent of any kind and the screen, which imports nothing of the agent. */
export interface HostAdapter {
  readonly appName: string;
  /** Shown after the name on the first screen. */
  readonly version?: string | undefined;
  readonly workspace: {readonly name: string; readonly root: string};
  readonly notifications: {
    /** A question waits, or a turn ended while the terminal was not in focus. */
    notify(notice: {readonly kind: 'question' | 'turn_ended'; readonly text: string}): void;
    setFocused(focused: boolean): void;
  };
  /** Themes that `/theme` offers, and the initial one. */
  readonly themes: {readonly available: readonly ThemePreference[]; readonly active: ThemePreference};
}

/** Facts for the status line and the first screen. Absent parts are not known. */
export interface SessionInfo {
  readonly model?: string | undefined;
  /** A few words on why this model, where it was not a person who chose it. */
  readonly modelReason?: string | undefined;
  /** A few words each on why these tools, where it was not a person who chose them. */
  readonly toolReasons?: readonly string[] | undefined;
  readonly mode?: string | undefined;
  readonly sandbox?: string | undefined;
  readonly branch?: string | undefined;
  readonly title?: string | undefined;
  readonly contextTokens?: number | undefined;
  readonly contextWindow?: number | undefined;
  readonly costUsd?: number | null | undefined;
  readonly sessionId?: string | undefined;
}

/** A task of the session whose time has come. */
export interface DueTurn {
  /** One line that names it. */
  readonly notice: string;
  /** The prompt that is run; absent: the notice is all. */
  readonly prompt?: string | undefined;
  /** True if another one is due. */
  readonly hasMore: boolean;
}

/** The end of a turn, in words for a person. */
export interface TurnEnding {
  readonly outcome: 'success' | 'failed' | 'cancelled' | 'limit';
  /** Summary of the turn: what was changed, what was verified and what was not; one line each. */
  readonly lines: readonly string[];
}

/** A question to a person before a call runs. */
export interface ApprovalQuestion {
  readonly id: string;
  /** `bash`, `edit`: the tool's name. */
  readonly tool: string;
  readonly agent?: string | undefined;
  readonly reason: string;
  /** The whole command, path or input that it is about; marked pieces are the risky ones. */
  readonly subject: readonly {readonly text: string; readonly risky?: boolean | undefined}[];
  /** Files before they are written. */
  readonly diffs: readonly FileDiff[];
  /** Rules that would have allowed it, with what each means. */
  readonly rules: readonly {readonly rule: string; readonly meaning: string}[];
}

export interface FileDiff {
  readonly path: string;
  /** Absent: the file is new. */
  readonly before?: string | undefined;
  /** Absent: the file is deleted. */
  readonly after?: string | undefined;
  /** Replaces the content if that is not shown. */
  readonly note?: string | undefined;
  /** The changes, if they can be allowed one by one; absent: all or nothing. */
  readonly hunks?: readonly DiffHunk[] | undefined;
}

export type ApprovalReply =
  | {readonly decision: 'once'}
  /** `rules`: as the person edited them. */
  | {readonly decision: 'session' | 'always'; readonly rules: readonly string[]}
  /** Only these hunks of the diffs, each `<diff index>:<hunk index>`. */
  | {readonly decision: 'hunks'; readonly hunks: readonly string[]}
  | {readonly decision: 'deny'; readonly feedback?: string | undefined}
  | {readonly decision: 'cancelled'};

/** Questions of the model (vibe tool system › ask_user_question). */
export interface UserQuestion {
  readonly header: string;
  readonly question: string;
  readonly options: readonly {readonly label: string; readonly description: string}[];
  readonly multiple: boolean;
}

/** A slash command. */
export interface SessionCommand {
  readonly name: string;
  readonly hint?: string | undefined;
  readonly description: string;
  readonly group: 'session' | 'custom' | 'skill' | 'mcp';
  /** Runs during a turn: `always`, or only without arguments. Absent: it waits for the end of the turn. */
  readonly whileWorking?: 'always' | 'bare' | undefined;
}

/** An entry of a picker: `@` files, sessions, models, checkpoints. */
export interface PickerItem {
  readonly value: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

/** The newest events of a subagent's own log. */
export interface SubagentLog {
  readonly events: readonly ThreadEvent[];
  /** True if earlier ones were left out. */
  readonly isCut: boolean;
}

/** The subagents of a conversation, for a person who looks into one. */
export interface SubagentAccess {
  /** All subagents so far, oldest first, with their current state. */
  list(): readonly AgentStatusChanged[];
  /** Resolves to its log; undefined: it has none. Without a log only new events are shown. */
  log(id: string): SubagentLog | undefined;
  /** Ends one, and nothing else. */
  cancel(id: string): Promise<void>;
}

/** The session as the screen sees it, with the actions it offers. One object for each conversation. */
export interface AgentSession {
  readonly info: SessionInfo;
  /** Events of earlier turns, for a conversation that is continued. */
  readonly earlier: readonly ThreadEvent[];
  /** Lines that a person should read before the first prompt. */
  readonly notes: readonly string[];
  /** Runs a turn for the typed text; a text after a slash is resolved first. `scheduled`: the text is that of a due task. */
  submit(text: string, signal: AbortSignal, origin?: 'scheduled'): Promise<TurnEnding>;
  /** The next task that is due, asked for when nothing runs after {@link ScreenPort.due}; undefined: none is left. */
  takeDue?(): DueTurn | undefined;
  /** Goes into the running turn before its next request. */
  steer(text: string): void;
  commands(): Promise<readonly SessionCommand[]>;
  /** Runs a command of the session; undefined: there is none of this name. Its text is shown. */
  command(name: string, typed: string, signal: AbortSignal): Promise<CommandResult | undefined>;
  /**
   * Returns the items that can be mentioned and match the text after `@`, best first: files and folders, and whatever else the agent has. After
   * `@/` the text may contain blanks. The chosen value replaces the text after `@`; if it ends in `/`, the person goes on typing.
   */
  files(query: string, signal: AbortSignal): Promise<readonly PickerItem[]>;
  /**
   * Saves pictures whose paths were pasted, and returns the text after `@` for each; undefined: the paste is just a text. Throws with the reason
   * if a file is not a usable picture.
   */
  pictures?(paths: readonly string[], signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Saves the picture in the clipboard, and returns the text after `@` for it. Throws with the reason if there is none. */
  clipboardPicture?(signal: AbortSignal): Promise<string>;
  /** Runs a line of the shell that the person typed after `!`; its output joins the conversation. `onOutput` gets it as it comes. */
  shell(
    line: string,
    signal: AbortSignal,
    onOutput?: (piece: string) => void,
  ): Promise<{readonly output: string; readonly exitCode: number | null}>;
  /** Adds a line to the instructions that every session reads, at the place that the person chooses; undefined if they decline. */
  keep?(line: string, signal: AbortSignal): Promise<string | undefined>;
  readonly subagents?: SubagentAccess | undefined;
  /** Aborts the model requests that are open, or those of one subagent, and sends them again; returns how many there were. */
  retryRequest?(agentId?: string): number;
  /** The next mode of permissions; returns its name. */
  nextMode?(): string;
  /** Background commands; absent: not supported. {@link ScreenPort.background} reports them. */
  readonly background?: BackgroundCommands | undefined;
  /** Ends the session; returns lines for the person, such as how to resume. */
  close(): Promise<readonly string[]>;
}

/** The actions of a person on a background command. */
export interface BackgroundCommands {
  /** Reports its screen now and on each change; returns a function that ends that. Must not call `listener` before it returns. */
  watch(id: string, listener: (content: LiveContent) => void): () => void;
  /** Types into its terminal, bytes as a terminal sends them. */
  type(id: string, bytes: string): void;
  end(id: string): Promise<void>;
}

export type CommandResult =
  | {readonly type: 'text'; readonly text: string}
  /** Changed files to look at. */
  | {readonly type: 'diff'; readonly title: string; readonly files: readonly FileDiff[]}
  /** A choice: the value is added after the name of the command, which runs again. The cursor begins on the current value. */
  | {readonly type: 'pick'; readonly title: string; readonly items: readonly PickerItem[]; readonly current?: string | undefined}
  /** Sent to the model as a task. */
  | {readonly type: 'task'; readonly text: string}
  /** Another session continues on this screen. */
  | {readonly type: 'switch'; readonly session: AgentSession}
  | {readonly type: 'end'};

/** Requests of the session to the screen. Each resolves when the person has answered, or rejects when `signal` aborts. */
export interface ScreenPort {
  onEvent(event: ThreadEvent): void;
  note(text: string): void;
  /** A task of the session is due: the screen asks for it as soon as nothing runs. */
  due(): void;
  /** The commands that go on after their call, whenever that changes; those that have ended, too. */
  background(commands: readonly LiveCommand[]): void;
  approve(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalReply>;
  ask(questions: readonly UserQuestion[], signal: AbortSignal): Promise<readonly (readonly string[])[] | undefined>;
  /** Shows a plan, whose lines can be commented on; undefined: the person leaves it as it is. */
  review(question: PlanQuestion, signal: AbortSignal): Promise<PlanReply | undefined>;
  /** Asks, before a session is open, whether what a project brings along may be loaded. */
  trust(question: TrustQuestion, signal: AbortSignal): Promise<TrustReply>;
}
