/** A documented command and its context. */
export interface Step {
  /** The command as it is documented. */
  readonly command: string;
  /** Shell command that runs first: prerequisites that the page describes or that the reader already has. */
  readonly before?: string;
  /**
   * Shell command that runs in the background from before the command until the end. It simulates other programs of the reader's
   * cluster.
   */
  readonly background?: string;
  /** Generated names, which readers replace with their own. Values are shell expressions. */
  readonly names?: Readonly<Record<string, string>>;
  /** Input that is typed at a terminal. */
  readonly input?: string;
  /** Answers to prompts: the text of the prompt, and then the keys to type, as tmux names them. */
  readonly answers?: readonly (readonly [prompt: string, ...keys: readonly string[]])[];
  /** Expected exit code. Defaults to 0. */
  readonly exitCode?: number;
  /** For a command that runs until Ctrl-C: output that proves that it works. */
  readonly until?: RegExp;
  /** Whether the command keeps running during the next steps. */
  readonly keepsRunning?: boolean;
}

/** Commands that build on each other. They run in one shell with an empty home directory. */
export interface Scenario {
  readonly title: string;
  /**
   * Servers that the commands use, by the host names of the examples. Clients trust their certificates. `files` serves the
   * files of ~/served.
   */
  readonly servers?: Readonly<Record<string, 'vcenter' | 'registry' | 'files'>>;
  readonly steps: readonly Step[];
}
