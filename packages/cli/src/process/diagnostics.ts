import {
  certificateToPem,
  generatePrivateKey,
  type PkiDependencies,
  privateKeyToPem,
  selfSign,
  servingTemplate,
} from '@slipway/pki';
import { type Client, type ManagerOptions, reviewedByServer } from '@slipway/runtime';
import { slipwayVersion } from '../version.js';

/** Diagnostics flags of upstream's managers. */
export interface DiagnosticsFlags {
  readonly diagnosticsAddress: string;
  readonly insecureDiagnostics: boolean;
  readonly healthAddr: string;
  readonly tlsMinVersion: 'TLSv1.2' | 'TLSv1.3';
}

type Diagnostics = Pick<
  ManagerOptions,
  'metricsAddress' | 'healthAddress' | 'metricsAuthorize' | 'metricsTls' | 'version'
>;

// Longer than the lifetime of a process, because the certificate is generated again at every start.
const validityMs = 3650 * 86_400_000;

/**
 * Returns the diagnostics settings. Requests for metrics and profiles are authorized with the API server, as in upstream's
 * managers.
 */
export async function diagnosticsOf(
  flags: DiagnosticsFlags,
  client: Client,
  dependencies: PkiDependencies,
): Promise<Diagnostics> {
  const addresses = {
    metricsAddress: flags.diagnosticsAddress,
    healthAddress: flags.healthAddr,
    version: slipwayVersion,
  };
  if (flags.insecureDiagnostics) return addresses;
  const key = await generatePrivateKey('ECDSA');
  const certificate = await selfSign(
    dependencies,
    servingTemplate('slipway-manager', ['localhost'], { validityMs }),
    key,
  );
  return {
    ...addresses,
    metricsAuthorize: reviewedByServer(client),
    metricsTls: {
      cert: certificateToPem(certificate),
      key: privateKeyToPem(key),
      minVersion: flags.tlsMinVersion,
    },
  };
}
