import { execFile } from 'node:child_process';

interface CommandOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly cwd?: string;
}

/** A program failed or is not installed. */
export class CommandError extends Error {
  constructor(
    readonly program: string,
    readonly code: number | string | undefined,
    readonly output: string,
  ) {
    super(code === 'ENOENT' ? `${program} is not installed` : `${program} failed (${code ?? 'killed'}): ${output}`);
    this.name = 'CommandError';
  }
}

const timeoutMsDefault = 60_000;
const outputLengthMax = 400;

/** Runs a program and returns its output. Never pass a secret in the arguments: every user of the host can read them. */
export function runCommand(program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { signal, timeoutMs = timeoutMsDefault, cwd } = options;
  return new Promise((resolve, reject) => {
    const limits = { timeout: timeoutMs, maxBuffer: 16 * 1_048_576 };
    execFile(program, args, { ...limits, signal, cwd }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const excerpt = (stderr.trim() || stdout.trim() || error.message).slice(0, outputLengthMax);
      reject(new CommandError(program, error.code ?? undefined, excerpt));
    });
  });
}
