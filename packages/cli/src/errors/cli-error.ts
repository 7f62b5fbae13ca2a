/** What scripts may rely on. */
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
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** As the reference page says it. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'Done. Also a management plane that was stopped in good order, and one to be stopped that was not running.',
  failed: 'It failed, and the message says why. `status`: it runs, but is not ready.',
  usage: 'The command line is wrong: an unknown command or flag, a bad value. Nothing was done.',
  notRunning: '`status`: there is no running management plane. `drivers`: the operator is not deployed.',
  inUse:
    'It is in use already: the data directory, the port, the file or directory to be written. Nothing was changed. `drivers status`: not healthy.',
  leadershipLost:
    '`manager`: it led and lost the lease. It acts no more; start it again to let it stand for election. `drivers`: it took longer than --timeout; the work goes on.',
  waiting: '`why`: nothing is wrong, it only takes time.',
  forbidden: '`plan` and `apply`: the change would do what --forbid names. Nothing was done.',
  leftBehind: '`move`: it moved, but objects of Cluster API are left in the source that nothing which moved leads to.',
  interrupted: 'Ctrl-C ended a wait or a question: the work goes on. A second one ended `up` or `manager` at once.',
};

interface CliErrorOptions {
  /** What the user can do next, as one sentence or command. */
  readonly remedy?: string;
  readonly exitCode?: ExitCode;
  readonly cause?: unknown;
}

/** A failure that the user can do something about. Says what failed and where; the remedy stands beside it. */
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

/** By name, not by class: each command is a bundle of its own, with its own copy of the class. */
function isCliError(error: unknown): error is CliError {
  return error instanceof Error && error.name === 'CliError' && 'exitCode' in error;
}

/** The code of a failed system call, such as `EACCES`. */
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

/** What went wrong and what to do, for a person; the stack only for one who asked for detail. */
export function reportError(error: unknown, verbose: boolean): ErrorReport {
  const lines = [`slipway: ${messageOf(error)}`];
  if (isCliError(error)) {
    if (error.remedy !== undefined) lines.push(`  → ${error.remedy}`);
  } else {
    lines.push('  → this was not expected; run the command again with -v for details');
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
