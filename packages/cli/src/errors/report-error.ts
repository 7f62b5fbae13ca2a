import { isCliError, messageOf } from './cli-error.js';
import { type ExitCode, exitCodes } from './exit-codes.js';

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
