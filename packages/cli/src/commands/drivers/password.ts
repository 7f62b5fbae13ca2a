import { readStandardInput } from '../../repositories/index.js';
import { CliError, exitCodes } from '../../errors/index.js';

/** From standard input or a question, and never from a flag: command lines are seen by everybody. */
export async function readPassword(fromStandardInput: boolean, question: string, flag: string): Promise<string> {
  if (fromStandardInput) return (await readStandardInput()).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY)
    throw new CliError('a password is missing', {
      remedy: `pipe it in, with ${flag}; at a terminal it is asked for`,
      exitCode: exitCodes.usage,
    });
  const { askPassword } = await import('./ask.js');
  return askPassword(question);
}
