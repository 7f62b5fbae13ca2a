import type { Clock } from '@slipway/base';
import { vdoConfigs, waitForDrivers, waitForOperator } from '@slipway/drivers';
import { isReason } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { type ExitCode, exitCodes } from '../../errors/index.js';
import type { DriversFlags } from './options.js';

const timeoutMsDefault = 900_000;

/** Waits for the installation and prints each step. Ctrl-C ends the wait; the installation continues in the cluster. */
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
  const why = result === 'interrupted' ? 'Interrupted' : 'Timed out';
  process.stderr.write(`${why}: the installation continues; run \`slipway drivers status\`.\n`);
  return result === 'interrupted' ? exitCodes.interrupted : exitCodes.leadershipLost;
}

/** Returns whether a VDOConfig exists, so that the drivers must become ready in addition to the operator. */
export async function vdoConfigsPresent(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    return (await client.list(vdoConfigs, { limit: 1, signal })).items.length > 0;
  } catch (error) {
    if (isReason(error, 'NotFound')) return false;
    throw error;
  }
}
