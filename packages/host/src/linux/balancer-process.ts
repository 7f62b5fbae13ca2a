import { rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { isAlive, readIfPresent } from '@slipway/base';
import { type BalancerFile, balancerFile } from '../balancer/run-balancer.js';
import { quote } from '../bootstrap/index.js';
import type { Backend } from '../engine/index.js';
import { launch, readProcess, recordProcessScript } from './process.js';

/** Whether the load balancer runs with the desired configuration. */
export async function isBalancing(directory: string, desired: BalancerFile): Promise<boolean> {
  if ((await readIfPresent(join(directory, balancerFile))) !== serialize(desired)) return false;
  const running = await readProcess(directory);
  return running !== undefined && isAlive(running);
}

function serialize(desired: BalancerFile): string {
  return `${JSON.stringify(desired)}\n`;
}

/** Runs the load balancer of a network as a separate process, so that its connections survive a restart of Slipway. */
export async function ensureBalancer(
  directory: string,
  namespace: string,
  command: readonly string[],
  desired: BalancerFile,
): Promise<void> {
  const path = join(directory, balancerFile);
  const text = serialize(desired);
  if ((await readIfPresent(path)) !== text) {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  }
  const running = await readProcess(directory);
  if (running !== undefined && (await isAlive(running))) return;
  // The previous process has exited. Remove its record, so that a new one can start.
  await rm(join(directory, 'started'), { recursive: true, force: true });
  const script = join(directory, 'balancer.sh');
  const args = ['nsenter', `--net=${namespace}`, ...command, directory].map(quote).join(' ');
  await writeFile(script, `${recordProcessScript}\nexec ${args}\n`);
  await launch({ directory, script, environment: {} });
}

const answerTimeoutMs = 1_000;

/** Whether a process accepts connections at the address. */
export function answers({ host, port }: Backend): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const give = (isOpen: boolean): void => {
      socket.removeAllListeners();
      // Ignore later errors of this connection.
      socket.on('error', () => undefined);
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(answerTimeoutMs, () => give(false));
    socket.once('error', () => give(false));
    socket.once('connect', () => give(true));
  });
}
