import { spawn } from 'node:child_process';
import { once } from 'node:events';

const quickStartTimeoutMs = 180_000;

/** Runs a script of the shell without a network: only the loopback interface exists. Returns its exit code and its output. */
export async function runOffline(
  script: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly until?: string },
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { cwd, env, until } = options;
  const args = ['--net', '--', '/bin/sh', '-c', `ip link set lo up && ${script}`];
  const child = spawn('unshare', args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: quickStartTimeoutMs });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let output = '';
  let isStopped = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // A second signal would end the program immediately.
      if (isStopped || until === undefined || !output.includes(until)) return;
      isStopped = child.kill('SIGTERM');
    });
  const [code] = await closed;
  return { code, output };
}

/** Runs the quick start with a `slipway` program until it has printed the commands for the new cluster, and stops it. */
export function runQuickStart(
  program: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): ReturnType<typeof runOffline> {
  const script = `exec ${program} up --quick-start --port 0 --log-format json`;
  return runOffline(script, { ...options, until: 'get nodes' });
}

/** The line of a quick start that succeeded. */
export const quickStartAvailable: RegExp = /Cluster default\/quick-start: 3\/3 ready, Available/;
