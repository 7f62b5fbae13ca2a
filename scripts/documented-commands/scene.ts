/** A command of the documentation, and what a reader does around it. */
export interface Step {
  /** As it is documented. */
  readonly command: string;
  /** Run before it: what the text around the command asks for, or what the reader has. */
  readonly before?: string;
  /** Started before it, and running until the end: what other programs of the reader's cluster do. */
  readonly meanwhile?: string;
  /** Generated names, which the reader replaces by their own. Values are shell expressions. */
  readonly names?: Readonly<Record<string, string>>;
  /** Typed at a terminal. */
  readonly input?: string;
  /** What the reader types once a question is on the screen: its text, and then keys as tmux names them. */
  readonly answers?: readonly (readonly [question: string, ...keys: readonly string[]])[];
  /** 0 unless the text says otherwise. */
  readonly exitCode?: number;
  /** For a command that runs until Ctrl-C: what it prints when it works. */
  readonly until?: RegExp;
  /** Whether it keeps running for the steps after it, instead of being stopped. */
  readonly isKept?: boolean;
}

/** Commands that build on each other, run in one shell with an empty home. */
export interface Scene {
  readonly title: string;
  /**
   * Servers that the commands use, by the host names of the examples. Clients trust their certificates. `files` has those of
   * ~/served.
   */
  readonly servers?: Readonly<Record<string, 'vcenter' | 'registry' | 'files'>>;
  readonly steps: readonly Step[];
}
