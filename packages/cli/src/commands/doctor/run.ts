import { readFileSync } from 'node:fs';
import { systemClock } from '@slipway/base';
import { examine, readFacts } from '@slipway/insight';
import { parseCertificates } from '@slipway/pki';
import { type Target, withTarget } from '../../connection/index.js';
import { type ExitCode, exitCodes } from '../../errors/index.js';
import { printValue, styleFor, terminalWidth } from '../../output/index.js';
import type { DoctorOptions } from './command.js';
import { reportText } from './text.js';

export async function doctor(options: DoctorOptions): Promise<ExitCode> {
  return withTarget(options, async (target, signal) => {
    const facts = await readFacts(target.client, {
      nowMs: systemClock.now(),
      namespace: options.namespace ?? '',
      serverVersion: await versionOf(target, signal),
      ownCertificateNotAfterMs: ownCertificate(target),
      airGapped: options.airGapped,
      metrics: await metricsOf(target, signal),
      signal,
    });
    const report = examine(facts);
    const style = styleFor(process.stdout, undefined);
    const width = terminalWidth(process.stdout, 100);
    await printValue(report, options.output, () => reportText(report, { style, width }));
    return report.diagnoses.some(({ severity }) => severity === 'error') ? exitCodes.failed : exitCodes.ok;
  });
}

async function versionOf({ client }: Target, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { gitVersion } = JSON.parse(await client.getRaw('/version', { signal })) as { gitVersion?: string };
    return gitVersion;
  } catch {
    return undefined;
  }
}

/** Returns the metrics of the API server. They are optional: not every user may read them. */
async function metricsOf({ client }: Target, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await client.getRaw('/metrics', { signal });
  } catch {
    return undefined;
  }
}

/** Returns the expiry of the client certificate that this program presents to the server, if any. */
function ownCertificate({ connection: { clientCertificate } }: Target): number | undefined {
  if (clientCertificate === undefined) return undefined;
  try {
    const pem = 'file' in clientCertificate ? readFileSync(clientCertificate.file, 'utf8') : clientCertificate.data;
    return parseCertificates(pem)[0]?.notAfter;
  } catch {
    return undefined;
  }
}
