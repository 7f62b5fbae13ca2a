import { text } from 'node:stream/consumers';
import { CliError, exitCodes } from '../errors/index.js';

/** Asks a person, or says how to do without one. */
export async function ask(question: string, yes: boolean): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY)
    throw new CliError('there is nobody to ask: standard input is no terminal', {
      remedy: 'give --yes to go on without a question',
      exitCode: exitCodes.usage,
    });
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: question, initialValue: false });
  return !isCancel(answer) && answer;
}

export function readStandardInput(): Promise<string> {
  return text(process.stdin);
}

/** From standard input or a question, and never from a flag: command lines are seen by everybody. */
export async function readPassword(fromStandardInput: boolean, question: string, flag: string): Promise<string> {
  if (fromStandardInput) return (await readStandardInput()).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY)
    throw new CliError('a password is missing', {
      remedy: `pipe it in, with ${flag}; at a terminal it is asked for`,
      exitCode: exitCodes.usage,
    });
  const { askPassword } = await import('./prompts.js');
  return askPassword(question);
}
