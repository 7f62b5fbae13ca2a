/** Exit codes. They are stable, because scripts depend on them. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notRunning: 3,
  inUse: 4,
  leadershipLost: 5,
  waiting: 6,
  forbidden: 7,
  leftBehind: 8,
  planChanges: 9,
  planBlocked: 10,
  planNotSettled: 11,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Meaning of each exit code, as listed in docs/reference/cli.md. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'Success. Also: a management plane that was stopped gracefully, and `down` when it was not running.',
  failed: 'Failure; the error message has the reason. `status`: the management plane runs but is not ready.',
  usage: 'Usage error: an unknown command or flag, or an invalid value. Nothing was changed.',
  notRunning: '`status`, `logs`: no management plane is running. `drivers`: the operator is not deployed.',
  inUse:
    'The data directory, the port, or the file or directory to write is already in use. Nothing was changed. `drivers status`: not healthy.',
  leadershipLost:
    '`manager`: leader election lost; restart the process. `drivers`: timed out after --timeout; the operation continues.',
  waiting: '`why`: the object is waiting; no action is required.',
  forbidden: '`plan` and `apply`: the plan contains an outcome of --forbid. Nothing was changed.',
  planChanges: '`plan`: applying the manifest changes machines or other objects. Without changes the exit code is 0.',
  planBlocked:
    '`plan`: the manifest cannot take effect: it references objects that do not exist, or an object reports a failure.',
  planNotSettled: '`plan`: the simulation ended before all objects reached their desired state.',
  leftBehind:
    '`move`: the move is complete, but Cluster API objects that no moved object references are left in the source.',
  interrupted:
    'Ctrl-C stopped a wait or a prompt; the operation continues. A second Ctrl-C stopped `up` or `manager` immediately.',
};

interface CliErrorOptions {
  /** The next step of the user, as one sentence or command. */
  readonly remedy?: string;
  readonly exitCode?: ExitCode;
  readonly cause?: unknown;
}

/** A failure with a message (what failed, on which object, why) and a remedy. */
export class CliError extends Error {
  readonly remedy: string | undefined;
  readonly exitCode: ExitCode;

  constructor(message: string, options: CliErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'CliError';
    this.remedy = options.remedy;
    this.exitCode = options.exitCode ?? exitCodes.failed;
  }
}

/**
 * Returns whether an error is a CliError. The name is compared instead of the class: each command bundle has its own copy of the
 * class.
 */
function isCliError(error: unknown): error is CliError {
  return error instanceof Error && error.name === 'CliError' && 'exitCode' in error;
}

/** Returns the code of a failed system call, such as `EACCES`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export interface ErrorReport {
  readonly text: string;
  readonly exitCode: ExitCode;
}

/** Formats an error with its remedy. Stack traces are printed only with -v. */
export function reportError(error: unknown, verbose: boolean): ErrorReport {
  const lines = [`slipway: ${messageOf(error)}`];
  if (isCliError(error)) {
    if (error.remedy !== undefined) lines.push(`  → ${error.remedy}`);
  } else {
    lines.push('  → unexpected error; run the command again with -v for details');
  }
  if (verbose) lines.push(...stacksOf(error));
  return { text: `${lines.join('\n')}\n`, exitCode: isCliError(error) ? error.exitCode : exitCodes.failed };
}

function stacksOf(error: unknown): string[] {
  const stacks: string[] = [];
  for (let next = error; next instanceof Error && stacks.length < 10; next = next.cause) {
    stacks.push(next.stack ?? next.message);
  }
  return stacks;
}
