import type { IPAddress, Machine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { ifPresent, type ReconcileContext, secrets } from '@slipway/runtime';
import type { HostMachine } from '../api/index.js';
import { BootstrapDataError, type CloudConfig, type Facts, readCloudConfig } from '../bootstrap/index.js';

/** Reads the bootstrap data from the Secret of the bootstrap provider. */
export async function cloudConfigOfMachine(
  { read, signal }: Pick<ReconcileContext, 'read' | 'signal'>,
  hostMachine: Frozen<HostMachine>,
  machine: Frozen<Machine>,
  address: Frozen<IPAddress>,
): Promise<CloudConfig> {
  const { namespace = '' } = machine.metadata;
  const name = machine.spec.bootstrap.dataSecretName ?? '';
  const secret = await ifPresent(read.get(secrets, { namespace, name }, { signal }));
  if (secret === undefined) throw new BootstrapDataError(`Secret ${name} with the bootstrap data does not exist`);
  const { value, format } = secret.data ?? {};
  if (value === undefined) throw new BootstrapDataError(`Secret ${name} has no key "value"`);
  const kind = format === undefined ? 'cloud-config' : Buffer.from(format, 'base64').toString('utf8');
  if (kind !== 'cloud-config')
    throw new BootstrapDataError(
      `the bootstrap data is for ${kind}: set format: cloud-config in the bootstrap configuration`,
    );
  const data = Buffer.from(value, 'base64').toString('utf8');
  return readCloudConfig(data, factsOf(hostMachine, address.spec.address));
}

/** Returns the instance metadata for templates, with the names of cloud-init. */
function factsOf(hostMachine: Frozen<HostMachine>, address: string): Facts {
  const { name = '', uid = '' } = hostMachine.metadata;
  const facts = { hostname: name, local_hostname: name, instance_id: uid, local_ipv4: address };
  return { ...facts, v1: { ...facts, cloud_name: 'host', platform: 'host' }, ds: { meta_data: facts } };
}
