import type { Clock } from '@slipway/base';
import { vdoConfigs, waitForDrivers, waitForOperator } from '@slipway/drivers';
import { isReason } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { type ExitCode, exitCodes } from '../../errors/index.js';
import type { DriversFlags } from './options.js';

const timeoutMsDefault = 900_000;

/** Follows the work and prints each step. Ctrl-C ends the following: the work goes on in the cluster. */
export async function follow(
  client: Client,
  flags: DriversFlags,
  signal: AbortSignal,
  what: 'drivers' | 'operator',
  clock: Clock,
): Promise<ExitCode> {
  const wait = what === 'drivers' ? waitForDrivers : waitForOperator;
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  const result = await wait({ read: client, clock, timeoutMs: flags.timeout ?? timeoutMsDefault, signal, say });
  if (result === 'ready') return exitCodes.ok;
  const why = result === 'interrupted' ? 'Interrupted' : 'It takes longer';
  process.stderr.write(`${why}: the installation continues; run \`slipway drivers status\`.\n`);
  return result === 'interrupted' ? exitCodes.interrupted : exitCodes.leadershipLost;
}

/** Whether there is anything to wait for beyond the operator itself. */
export async function vdoConfigsPresent(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    return (await client.list(vdoConfigs, { limit: 1, signal })).items.length > 0;
  } catch (error) {
    if (isReason(error, 'NotFound')) return false;
    throw error;
  }
}
