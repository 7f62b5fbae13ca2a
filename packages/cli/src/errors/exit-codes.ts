/** What scripts may rely on; docs/reference/cli.md says the same, and a test compares. */
export const exitCodes = {
  /** Done; also a server that was stopped in good order. */
  ok: 0,
  /** It failed, and the message says why. */
  failed: 1,
  /** The command line is wrong: an unknown command or flag, a bad value. Nothing was done. */
  usage: 2,
  /** There is no running instance. */
  notRunning: 3,
  /** Somebody else has it: the data directory, the port, the file to be written. Nothing was changed. */
  inUse: 4,
  /** A second Ctrl-C ended the process at once. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
