import type { Clock } from '@slipway/base';
import { waitForDrivers, waitForOperator } from '@slipway/drivers';
import type { Client } from '@slipway/runtime';
import type { DriversFlags } from './options.js';
import { type ExitCode, exitCodes } from '../../errors/index.js';

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
  const result = await wait({ client, clock, timeoutMs: flags.timeout ?? timeoutMsDefault, signal, say });
  if (result === 'ready') return exitCodes.ok;
  const why = result === 'interrupted' ? 'Interrupted' : 'It takes longer';
  process.stderr.write(`${why}: the installation continues; run \`slipway drivers status\`.\n`);
  return result === 'interrupted' ? exitCodes.interrupted : exitCodes.leadershipLost;
}
