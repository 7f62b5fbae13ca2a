import { cancel, confirm, isCancel, log, password, text } from '@clack/prompts';
import { CliError, exitCodes } from '../errors/index.js';

function answered<T extends string | boolean>(answer: T | symbol): T {
  if (!isCancel(answer)) return answer as T;
  cancel('Nothing was changed.');
  throw new CliError('cancelled', { exitCode: exitCodes.interrupted });
}

export async function askText(message: string, initial = ''): Promise<string> {
  const validate = (value: string | undefined): string | undefined =>
    (value ?? '').trim() === '' ? 'a value is required' : undefined;
  return answered<string>(await text({ message, initialValue: initial, validate })).trim();
}

/** Asks for a password without echoing it. */
export async function askPassword(message: string): Promise<string> {
  return answered<string>(
    await password({
      message,
      validate: (value) => ((value ?? '') === '' ? 'a value is required' : undefined),
    }),
  );
}

export async function askYes(message: string, initialValue = true): Promise<boolean> {
  return answered<boolean>(await confirm({ message, initialValue }));
}

/** Prints an error between two prompts. */
export function printProblem(message: string): void {
  log.error(message);
}
