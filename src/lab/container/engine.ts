import type {Variables} from '../../exec/variables/child-environment.ts';

export type EngineProgram = 'docker' | 'podman';

/** An engine that has answered. */
export interface ContainerEngine {
  readonly program: EngineProgram;
  readonly version: string;
  /** The whole environment of its commands. */
  readonly env: Variables;
}

/** The engine of this machine; or one line for each that was looked for, with the reason why it cannot be used. */
export type FoundEngine = ContainerEngine | {readonly problems: readonly string[]};
