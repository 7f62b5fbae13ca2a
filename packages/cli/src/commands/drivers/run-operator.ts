import { systemClock, systemRandom } from '@slipway/base';
import { operatorNamespace, runOperator } from '@slipway/drivers';
import { asRemoteCluster } from '@slipway/runtime';
import { connectServer } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { diagnosticsOf } from '../../process/diagnostics.js';
import { openLog } from '../../process/open-log.js';
import { stopSignal } from '../../process/stop-signal.js';
import type { OperatorFlags } from './command.js';

/** Runs the operator until a signal stops it or leadership is lost. */
export async function driversOperator(flags: OperatorFlags): Promise<ExitCode> {
  const logger = openLog({ format: 'json', verbose: false });
  const stopping = new AbortController();
  const { client } = await connectServer(
    { ...flags, agent: 'vdo', onWarning: (warning) => logger.warn({ warning }, 'API server warning') },
    stopping.signal,
  );
  const getRaw: typeof client.getRaw = (...given) => client.getRaw(...given);
  const stopRequest = stopSignal();
  try {
    const operator = await runOperator({
      cluster: asRemoteCluster({ name: 'local', read: client, getRaw }, client),
      clock: systemClock,
      random: systemRandom,
      logger,
      namespace: flags.namespace ?? process.env['VDO_NAMESPACE'] ?? operatorNamespace,
      updatePolicy: flags.updatePolicy,
      deletionPolicy: flags.deletionPolicy,
      maintenanceWindow: windowOf(flags.maintenanceWindow),
      matrix: flags.compatibilityMatrix ?? process.env['MATRIX_CONFIG_URL'],
      images: {
        ...(flags.imageRegistry !== undefined && { registry: flags.imageRegistry }),
        byRole: imagesOf(flags.image ?? []),
        pullSecrets: flags.imagePullSecret ?? [],
      },
      leaderElect: flags.leaderElect === true,
      diagnostics: await diagnosticsOf(
        {
          diagnosticsAddress: flags.metricsAddress ?? '0',
          healthAddr: flags.healthAddress ?? '0',
          insecureDiagnostics: false,
          tlsMinVersion: 'TLSv1.3',
        },
        client,
        { clock: systemClock, random: systemRandom },
      ),
    });
    try {
      await Promise.race([stopRequest, operator.done]);
    } finally {
      await operator.stop();
    }
  } finally {
    client.close();
  }
  return exitCodes.ok;
}

function windowOf(text: string | undefined): { fromHour: number; toHour: number } | undefined {
  if (text === undefined) return undefined;
  const [, from = '', to = ''] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  const [fromHour, toHour] = [Number(from), Number(to)];
  if (from === '' || fromHour > 23 || toHour > 24)
    throw new CliError(`invalid maintenance window "${text}"`, {
      remedy: 'write the first and last hour in UTC, such as 22-4',
      exitCode: exitCodes.usage,
    });
  return { fromHour, toHour };
}

function imagesOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const equals = text.indexOf('=');
      if (equals <= 0)
        throw new CliError(`invalid image "${text}"`, {
          remedy: 'write role=reference, such as csi-driver=mirror.local/driver:v3.8.0',
          exitCode: exitCodes.usage,
        });
      return [text.slice(0, equals), text.slice(equals + 1)];
    }),
  );
}
