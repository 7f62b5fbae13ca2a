import {
  certificateToPem,
  generatePrivateKey,
  type PkiWorld,
  privateKeyToPem,
  selfSign,
  servingTemplate,
} from '@slipway/base';
import { type Client, type ManagerOptions, reviewedByServer } from '@slipway/runtime';
import { slipwayVersion } from '../version.js';

/** Flags of upstream's managers. */
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

// As long as a process may live: it is made anew at every start.
const validityMs = 3650 * 86_400_000;

/** As upstream's managers: what tells about the inside is for those whom the API server lets read it. */
export async function diagnosticsOf(flags: DiagnosticsFlags, client: Client, world: PkiWorld): Promise<Diagnostics> {
  const addresses = {
    metricsAddress: flags.diagnosticsAddress,
    healthAddress: flags.healthAddr,
    version: slipwayVersion,
  };
  if (flags.insecureDiagnostics) return addresses;
  const key = await generatePrivateKey('ECDSA');
  const certificate = await selfSign(world, servingTemplate('slipway-manager', ['localhost'], { validityMs }), key);
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
