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
