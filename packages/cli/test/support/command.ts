import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { installedSlipway } from './installed.js';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command and waits until it exits. */
export function slipway(...args: readonly string[]): Promise<Outcome> {
  return runScript(installedSlipway, ...args);
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** Runs one command with additional environment variables or standard input. */
export function runWith(options: RunOptions, ...args: readonly string[]): Promise<Outcome> {
  return run(installedSlipway, args, options);
}

export async function runScript(script: string, ...args: readonly string[]): Promise<Outcome> {
  return run(script, args, {});
}

async function run(script: string, args: readonly string[], options: RunOptions): Promise<Outcome> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...options.env },
    timeout: 90_000,
  });
  // Ignore write errors: the command can exit before it reads all input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

interface Serving {
  readonly endpoint: string;
  readonly kubeconfig: string;
  readonly pid: number;
}

export interface Plane extends Serving {
  readonly child: ChildProcess;
  /** The log lines so far. */
  readonly log: readonly string[];
  /** Waits until standard output contains `text`, and returns all of it. */
  waitForOutput(text: string): Promise<string>;
  /** Resolves with the exit code or the name of the signal. */
  readonly exited: Promise<number | string>;
}

const running = new Map<ChildProcess, Promise<unknown>>();

/** Starts `slipway up` and waits until it logs that it serves. */
export async function startPlane(dataDirectory: string, ...args: readonly string[]): Promise<Plane> {
  return startPlaneIn({}, '--data-dir', dataDirectory, ...args);
}

/** Starts `slipway up` in a directory and with additional environment variables. */
export async function startPlaneIn(
  { cwd, env }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
  ...args: readonly string[]
): Promise<Plane> {
  const flags = ['up', '--port', '0', '--log-format', 'json', ...args];
  const child = spawn(process.execPath, [installedSlipway, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
  });
  const output = new OutputCollector(child.stdout);
  const log: string[] = [];
  const exited = new Promise<number | string>((resolve) => {
    // `close` follows the end of all output, unlike `exit`.
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve(code ?? signal ?? 'unknown');
    });
  });
  running.set(child, exited);
  const lines = createInterface({ input: child.stderr });
  const serving = await new Promise<Serving>((resolve, reject) => {
    lines.on('line', (line) => {
      log.push(line);
      if (line.includes('"msg":"Serving"')) resolve(JSON.parse(line) as Serving);
    });
    void exited.then((code) => reject(new Error(`slipway up ended with ${code}:\n${log.join('\n')}`)));
  });
  const { endpoint, kubeconfig, pid } = serving;
  return { endpoint, kubeconfig, pid, child, log, exited, waitForOutput: (text) => output.until(text) };
}

/** Collects the output of a process and waits for text in it. */
class OutputCollector {
  #text = '';
  readonly #waiting = new Set<() => void>();

  constructor(stream: Readable) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      this.#text += chunk;
      for (const check of this.#waiting) check();
    });
  }

  until(text: string): Promise<string> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!this.#text.includes(text)) return;
        this.#waiting.delete(check);
        resolve(this.#text);
      };
      this.#waiting.add(check);
      check();
    });
  }
}

/** Kills servers of failed tests, which could still write to a directory that is deleted next. Call it in afterEach. */
export async function killPlanes(): Promise<void> {
  for (const child of running.keys()) child.kill('SIGKILL');
  await Promise.all(running.values());
}
