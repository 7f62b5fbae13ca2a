import { spawn } from 'node:child_process';

interface RunOptions {
  /** Variables that are added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly interactive: 'Never' | 'IfAvailable' | 'Always';
  readonly signal: AbortSignal;
}

/** Runs a program and returns its standard output. */
export type RunProgram = (command: string, args: readonly string[], options: RunOptions) => Promise<string>;

const outputBytesMax = 1024 * 1024;

export const runProgram: RunProgram = (command, args, options) => {
  const terminal = process.stdin.isTTY === true;
  if (options.interactive === 'Always' && !terminal)
    return Promise.reject(new Error('it requires a terminal, but standard input is not a terminal'));
  return new Promise((resolve, reject) => {
    const stdin = options.interactive !== 'Never' && terminal ? 'inherit' : 'ignore';
    const child = spawn(command, args, { env: { ...process.env, ...options.env }, stdio: [stdin, 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      child.kill('SIGKILL');
      reject(options.signal.reason as Error);
    };
    options.signal.addEventListener('abort', stop, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= outputBytesMax) chunks.push(chunk);
      else child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', (code) => {
      options.signal.removeEventListener('abort', stop);
      if (size > outputBytesMax) reject(new Error(`it wrote more than ${outputBytesMax} bytes`));
      else if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(new Error(`it ended with exit code ${code}`));
    });
  });
};
