import { rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { isAlive, readIfPresent } from '@slipway/base';
import { type BalancerFile, balancerFile } from '../balancer/index.js';
import { quote } from '../bootstrap/index.js';
import type { Backend } from '../engine/index.js';
import { launch, readProcess, recordProcessScript } from './process.js';

/** True when the balancer runs with the wanted configuration. */
export async function isBalancing(directory: string, wanted: BalancerFile): Promise<boolean> {
  if ((await readIfPresent(join(directory, balancerFile))) !== textOf(wanted)) return false;
  const running = await readProcess(directory);
  return running !== undefined && isAlive(running);
}

function textOf(wanted: BalancerFile): string {
  return `${JSON.stringify(wanted)}\n`;
}

/** The balancer of a network as a process of its own: connections through it outlive Slipway. */
export async function ensureBalancer(
  directory: string,
  namespace: string,
  command: readonly string[],
  wanted: BalancerFile,
): Promise<void> {
  const path = join(directory, balancerFile);
  const text = textOf(wanted);
  if ((await readIfPresent(path)) !== text) {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  }
  const running = await readProcess(directory);
  if (running !== undefined && (await isAlive(running))) return;
  // Whoever was there before is gone: its place is free again.
  await rm(join(directory, 'started'), { recursive: true, force: true });
  const script = join(directory, 'balancer.sh');
  const words = ['nsenter', `--net=${namespace}`, ...command, directory].map(quote).join(' ');
  await writeFile(script, `${recordProcessScript}\nexec ${words}\n`);
  await launch({ directory, script, environment: {} });
}

const answerTimeoutMs = 1_000;

/** Whether somebody takes connections there. */
export function answers({ host, port }: Backend): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const give = (isOpen: boolean): void => {
      socket.removeAllListeners();
      // Whatever becomes of it now is of no interest.
      socket.on('error', () => undefined);
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(answerTimeoutMs, () => give(false));
    socket.once('error', () => give(false));
    socket.once('connect', () => give(true));
  });
}
