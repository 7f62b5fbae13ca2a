import {
  isHealthy,
  operatorNamespace,
  preflight,
  readStatus,
  shippedMatrixText,
  type StatusReport,
  statusText,
  vdoConfigs,
} from '@slipway/drivers';
import { pods } from '@slipway/runtime';
import { withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { printValue } from '../../output/index.js';
import { slipwayVersion } from '../../version.js';
import type { DriversFlags } from './options.js';

export function driversStatus(flags: DriversFlags & { readonly watch?: boolean }): Promise<ExitCode> {
  return withTarget(flags, async ({ client }, signal) => {
    let report = await readStatus(client, signal);
    await printValue(report, flags.output, () => statusText(report));
    if (flags.watch === true) {
      try {
        for await (const _events of client.watch(vdoConfigs, { signal })) {
          report = await readStatus(client, signal);
          await printValue(report, flags.output, () => `\n${statusText(report)}`);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
    return codeOf(report);
  });
}

function codeOf(report: StatusReport): ExitCode {
  if (report.operator === undefined) return exitCodes.notRunning;
  return isHealthy(report) || report.vdoConfig === undefined ? exitCodes.ok : exitCodes.inUse;
}

export function driversVersion(flags: DriversFlags): Promise<ExitCode> {
  return withTarget(flags, async ({ client }, signal) => {
    const { major, minor } = JSON.parse(await client.getRaw('/version', { signal })) as {
      major: string;
      minor: string;
    };
    const { operator, vdoConfig, connections } = await readStatus(client, signal);
    const unknown = 'Not Configured';
    const matrix = JSON.parse(shippedMatrixText()) as Record<'CSI' | 'CPI', Record<string, unknown>>;
    const rangeOf = (section: 'CSI' | 'CPI'): string => Object.keys(matrix[section]).sort().join(', ');
    const facts = {
      'kubernetes Version': `${major}.${minor}`,
      'VDO Version': operator?.image.replace(/^.*:/, '') ?? unknown,
      'vSphere Versions': connections.flatMap(({ status }) => status?.apiVersion ?? []).join(', ') || unknown,
      'CSI Version': vdoConfig?.status?.storageProvider?.installedVersion ?? unknown,
      'CPI Version': vdoConfig?.status?.cloudProvider?.installedVersion ?? unknown,
      'CLI Version': slipwayVersion,
      'CSI Supported': rangeOf('CSI'),
      'CPI Supported': rangeOf('CPI'),
    };
    await printValue(facts, flags.output, () =>
      Object.entries(facts)
        .map(([name, value]) => `${name} : ${value}\n`)
        .join(''),
    );
    return operator === undefined ? exitCodes.notRunning : exitCodes.ok;
  });
}

/** Checks whether a cluster is ready for the drivers. */
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

/** Prints the logs of the operator pods. */
export function driversLogs(flags: DriversFlags & { readonly tail: number }): Promise<ExitCode> {
  return withTarget(flags, async ({ client }, signal) => {
    const scope = { namespace: operatorNamespace, labelSelector: 'control-plane=controller-manager' };
    const { items } = await client.list(pods, { ...scope, signal });
    if (items.length === 0)
      throw new CliError('no operator pod found', {
        remedy: 'check the operator with `slipway drivers status`',
        exitCode: exitCodes.notRunning,
      });
    for (const { metadata } of items) {
      const path = `/api/v1/namespaces/${operatorNamespace}/pods/${metadata.name ?? ''}/log?container=manager&tailLines=${flags.tail}`;
      process.stdout.write(await client.getRaw(path, { signal }));
    }
    return exitCodes.ok;
  });
}
