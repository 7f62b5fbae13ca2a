import { type ExitCode, exitCodes } from './exit-codes.js';

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
export function isCliError(error: unknown): error is CliError {
  return error instanceof Error && error.name === 'CliError' && 'exitCode' in error;
}

/** The code of a failed system call, such as `EACCES`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
