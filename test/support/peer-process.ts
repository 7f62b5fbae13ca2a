import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const peersFolder = fileURLToPath(new URL('../../.peers/bin', import.meta.url));

/** Returns the path of a program that `npm run peers` builds. Throws if it is missing, so that tests never pass without it. */
export function peerBinary(name: string): string {
  const path = `${peersFolder}/${name}`;
  if (!existsSync(path)) throw new Error(`${name} is not built; run "npm run peers -- ${name}" first`);
  return path;
}

export interface PeerProcess {
  readonly pid: number;
  /** Returns the last lines of output, for failure messages. */
  log(): string;
  readonly exited: boolean;
  /** Resolves once the output contains the text. Rejects if the process exits before, or on a timeout. */
  said(pattern: RegExp, patienceMs?: number): Promise<RegExpExecArray>;
  /** Stops the process and waits for its exit. Sends SIGKILL after a timeout. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const logCharsMax = 64 * 1024;
/** Long, because some tests depend on the last actions of a process, such as a logout. */
const stopPatienceMs = 60_000;
const sayPatienceMs = 120_000;

/** Starts a program that exits with the test. Its output is kept only for failure messages. */
export function startPeer(path: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): PeerProcess {
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let log = '';
  const listeners = new Set<() => void>();
  const keep = (chunk: Buffer): void => {
    log = (log + chunk.toString('utf8')).slice(-logCharsMax);
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      keep(Buffer.from(String(error)));
      resolve();
    });
  });
  /** Resolves once all output is read, which may be after the exit. */
  const silent = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  return {
    pid: child.pid ?? 0,
    log: () => log,
    get exited() {
      return hasEnded(child);
    },
    said(pattern, patienceMs = sayPatienceMs) {
      return new Promise((resolve, reject) => {
        const settle = (found?: RegExpExecArray): void => {
          clearTimeout(timer);
          listeners.delete(checkOutput);
          if (found !== undefined) resolve(found);
          else reject(new Error(`${path} did not say ${String(pattern)}:\n${log}`));
        };
        const checkOutput = (): void => {
          const found = pattern.exec(log);
          if (found !== null) settle(found);
        };
        const timer = setTimeout(settle, patienceMs);
        listeners.add(checkOutput);
        void silent.then(() => settle(pattern.exec(log) ?? undefined));
        checkOutput();
      });
    },
    async stop(signal = 'SIGTERM') {
      process.removeListener('exit', killWithUs);
      if (hasEnded(child)) return;
      child.kill(signal);
      const killTimer = setTimeout(() => child.kill('SIGKILL'), stopPatienceMs);
      await ended;
      clearTimeout(killTimer);
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

/**
 * Ports below the ephemeral ones, which another process could take before the program listens. Each worker has its own range and
 * starts at a random port, so that neither workers nor concurrent runs collide.
 */
const portsFirst = 11_000;
const portsEach = 2_000;
const ownPorts = portsFirst + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 4) * portsEach;
let nextPort = Math.floor(Math.random() * portsEach);

/** Returns distinct ports that were free when checked. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = 0; ports.length < count; tries += 1) {
    if (tries > portsEach)
      throw new Error(`no ${count} ports between ${ownPorts} and ${ownPorts + portsEach} are free`);
    const port = ownPorts + (nextPort++ % portsEach);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
