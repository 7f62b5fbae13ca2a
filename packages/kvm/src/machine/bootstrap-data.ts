import type { Machine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { ifPresent, type ReconcileContext, secrets } from '@slipway/runtime';
import { kvmReasons } from '../api/index.js';
import type { BootstrapData } from './vm-service.js';

/** Why bootstrap data cannot be used. Never says what is in it. */
export class BootstrapDataError extends Error {
  constructor(
    readonly reason: typeof kvmReasons.bootstrapFormatUnsupported | typeof kvmReasons.waitingForBootstrapData,
    message: string,
  ) {
    super(message);
    this.name = 'BootstrapDataError';
  }
}

/** The Secret that the bootstrap provider wrote, untouched: its first line says what its templates are. */
export async function readBootstrapData(
  { read, signal }: Pick<ReconcileContext, 'read' | 'signal'>,
  machine: Frozen<Machine>,
): Promise<BootstrapData> {
  const { namespace = '' } = machine.metadata;
  const name = machine.spec.bootstrap.dataSecretName ?? '';
  const secret = await ifPresent(read.get(secrets, { namespace, name }, { signal }));
  if (secret?.data?.['value'] === undefined) {
    const problem = secret === undefined ? 'does not exist' : 'has no key "value"';
    throw new BootstrapDataError(
      kvmReasons.waitingForBootstrapData,
      `Secret ${name} with the bootstrap data ${problem}`,
    );
  }
  const { value, format: encoded } = secret.data;
  const format = encoded === undefined ? 'cloud-config' : Buffer.from(encoded, 'base64').toString('utf8');
  if (format !== 'cloud-config' && format !== 'ignition')
    throw new BootstrapDataError(
      kvmReasons.bootstrapFormatUnsupported,
      `the bootstrap data is for ${format}: set format: cloud-config or ignition in the bootstrap configuration`,
    );
  return { format, value: Buffer.from(value, 'base64'), secretName: name };
}
