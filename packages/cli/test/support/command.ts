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

/** Runs one command to its end. */
export function slipway(...words: readonly string[]): Promise<Outcome> {
  return runScript(installedSlipway, ...words);
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** The same, in another environment or with something to read. */
export function runWith(options: RunOptions, ...words: readonly string[]): Promise<Outcome> {
  return run(installedSlipway, words, options);
}

export async function runScript(script: string, ...words: readonly string[]): Promise<Outcome> {
  return run(script, words, {});
}

async function run(script: string, words: readonly string[], options: RunOptions): Promise<Outcome> {
  const child = spawn(process.execPath, [script, ...words], {
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
  /** Every line of the log so far. */
  readonly log: readonly string[];
  /** The human-readable output so far, once it contains `text`. */
  said(text: string): Promise<string>;
  /** Resolves with the code, or with the signal that ended it. */
  readonly exited: Promise<number | string>;
}

const running = new Map<ChildProcess, Promise<unknown>>();

/** Starts `slipway up` and returns when its log says that it serves. */
export async function startPlane(dataDirectory: string, ...words: readonly string[]): Promise<Plane> {
  const flags = ['up', '--port', '0', '--data-dir', dataDirectory, '--log-format', 'json', ...words];
  const child = spawn(process.execPath, [installedSlipway, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  const speech = new Speech(child.stdout);
  const log: string[] = [];
  const exited = new Promise<number | string>((resolve) => {
    // Not before its last word is read.
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
  return { endpoint, kubeconfig, pid, child, log, exited, said: (text) => speech.until(text) };
}

/** Collects the output of a process and resolves waits for a text in it. */
class Speech {
  #text = '';
  readonly #waiting = new Set<() => void>();

  constructor(stream: Readable) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      this.#text += chunk;
      for (const look of this.#waiting) look();
    });
  }

  until(text: string): Promise<string> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.#text.includes(text)) return;
        this.#waiting.delete(look);
        resolve(this.#text);
      };
      this.#waiting.add(look);
      look();
    });
  }
}

/** For afterEach: no test leaves a server behind, also when it fails, nor one that still writes to a folder that goes. */
export async function killPlanes(): Promise<void> {
  for (const child of running.keys()) child.kill('SIGKILL');
  await Promise.all(running.values());
}
