import { text } from 'node:stream/consumers';
import { sleep, systemClock } from '@slipway/base';
import { CliError, exitCodes } from '../errors/index.js';

/** Asks for confirmation. Fails without a terminal. Input that was typed before the question is dropped. */
export async function ask(question: string, yes: boolean): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY)
    throw new CliError('cannot ask for confirmation: standard input is not a terminal', {
      remedy: 'use --yes to skip the confirmation',
      exitCode: exitCodes.usage,
    });
  const { confirm, isCancel } = await import('@clack/prompts');
  await discardInput(process.stdin);
  const answer = await confirm({ message: question, initialValue: false });
  return !isCancel(answer) && answer;
}

/** The part of a terminal that `discardInput` needs. */
export interface TerminalInput {
  setRawMode(isRaw: boolean): unknown;
  on(event: 'data', listener: () => void): unknown;
  off(event: 'data', listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

const quietMs = 50;
const discardMsMax = 1_000;

/** Drops what was typed ahead. In raw mode the terminal also delivers lines that are not complete. */
export async function discardInput(input: TerminalInput): Promise<void> {
  let isQuiet = false;
  const drop = (): void => {
    isQuiet = false;
  };
  input.setRawMode(true);
  input.on('data', drop);
  input.resume();
  try {
    for (let waitedMs = 0; !isQuiet && waitedMs < discardMsMax; waitedMs += quietMs) {
      isQuiet = true;
      await sleep(systemClock, quietMs);
    }
  } finally {
    input.off('data', drop);
    input.pause();
    input.setRawMode(false);
  }
}

export function readStandardInput(): Promise<string> {
  return text(process.stdin);
}

/** Reads a password from standard input or a prompt. It is never a flag: command lines are visible to all users of the host. */
export async function readPassword(fromStandardInput: boolean, question: string, flag: string): Promise<string> {
  if (fromStandardInput) return (await readStandardInput()).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY)
    throw new CliError('the password is missing', {
      remedy: `pipe it to standard input with ${flag}, or run the command on a terminal`,
      exitCode: exitCodes.usage,
    });
  const { askPassword } = await import('./prompts.js');
  return askPassword(question);
}
