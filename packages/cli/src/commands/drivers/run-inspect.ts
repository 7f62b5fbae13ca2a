import { operatorNamespace, preflight } from '@slipway/drivers';
import { pods } from '@slipway/runtime';
import type { DriversFlags } from './options.js';
import { withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { printValue } from '../../output/index.js';

/** Tells whether a cluster is ready for the drivers. */
export function driversPreflight(flags: DriversFlags): Promise<ExitCode> {
  return withTarget(flags, async ({ client }, signal) => {
    const checks = await preflight(client, signal);
    await printValue(checks, flags.output, () =>
      checks.map(({ name, problem }) => `${problem === undefined ? 'ok' : 'no'}  ${name}${tail(problem)}\n`).join(''),
    );
    return checks.some(({ problem }) => problem !== undefined) ? exitCodes.inUse : exitCodes.ok;
  });
}

const tail = (problem: string | undefined): string => (problem === undefined ? '' : `: ${problem}`);

/** What the operator has to say, as its pods wrote it. */
export function driversLogs(flags: DriversFlags & { readonly tail: number }): Promise<ExitCode> {
  return withTarget(flags, async ({ client }, signal) => {
    const scope = { namespace: operatorNamespace, labelSelector: 'control-plane=controller-manager' };
    const { items } = await client.list(pods, { ...scope, signal });
    if (items.length === 0)
      throw new CliError('no pod of the operator is there', {
        remedy: '`slipway drivers status`',
        exitCode: exitCodes.notRunning,
      });
    for (const { metadata } of items) {
      const path = `/api/v1/namespaces/${operatorNamespace}/pods/${metadata.name ?? ''}/log?container=manager&tailLines=${flags.tail}`;
      process.stdout.write(await client.getRaw(path, { signal }));
    }
    return exitCodes.ok;
  });
}
