import { isHealthy, readStatus, shippedMatrixText, type StatusReport, statusText, vdoConfigs } from '@slipway/drivers';
import type { DriversFlags } from './options.js';
import { withTarget } from '../../connection/index.js';
import { type ExitCode, exitCodes } from '../../errors/index.js';
import { printValue } from '../../output/index.js';
import { slipwayVersion } from '../../version.js';

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
