/** A skill that was found (agentskills.io): its name and description are known, the rest is read when it is used. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** Its SKILL.md: absolute, and real: links were followed. */
  readonly file: string;
  /** Absolute; paths in the skill are relative to it. */
  readonly folder: string;
  /** All of its SKILL.md as it was trusted: of a skill of a project, whose file may be another one by now. */
  readonly text?: string | undefined;
}
