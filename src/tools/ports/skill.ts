/** A skill (agentskills.io) whose name and description are known; the rest is read when the skill is used. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** The real, absolute path of its SKILL.md. */
  readonly file: string;
  /** Absolute; paths in the skill are relative to it. */
  readonly folder: string;
  /** The trusted text of its SKILL.md, for a skill of a project: the file may have changed since. */
  readonly text?: string | undefined;
}
