import { type ObservedCluster, labels } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Reader, ifPresent, keyOf, labelIndex, type ReconcileContext, secrets } from '@slipway/runtime';
import { parseServerAddress, type VSphereCluster, vsphereMachines } from '@slipway/vsphere';
import { annotations, DriverError, type DriverName, hostedVdoConfig } from '../api/index.js';
import { answeredObjects, type ConnectionAnswers } from '../command/answers.js';
import { foundation } from '../install/index.js';
import type { RequestedDrivers } from './requested-drivers.js';

/** Returns the objects to write to the workload cluster, which the hosted operator then reconciles. */
export async function desiredObjects(
  cluster: ObservedCluster,
  vsphereCluster: Frozen<VSphereCluster>,
  request: RequestedDrivers,
  context: ReconcileContext,
): Promise<KubeObject[]> {
  const datacenters = request.datacenters.length > 0 ? request.datacenters : datacentersOf(cluster, context);
  if (datacenters.length === 0)
    throw new DriverError('WaitingForMachines', 'Waiting for the first machine of the cluster to be in a datacenter');
  const connectionFor = async (driver: DriverName): Promise<ConnectionAnswers> =>
    connectionOf(vsphereCluster, datacenters, await accountOf(driver, vsphereCluster, request, context));
  const objects = answeredObjects({
    name: hostedVdoConfig,
    cpi: request.drivers.includes('cpi') ? [await connectionFor('cpi')] : undefined,
    csi: [await connectionFor('csi')],
  });
  const { namespace, name } = keyOf(cluster);
  return [...foundation(), ...objects.map((object) => (object.kind === 'VDOConfig' ? hosted(object) : object))];

  function hosted(object: KubeObject): KubeObject {
    const marks = { [annotations.hostedBy]: `${namespace}/${name}` };
    const policy = cluster.metadata.annotations?.[annotations.deletionPolicy];
    const own = { ...marks, ...(policy !== undefined && { [annotations.deletionPolicy]: policy }) };
    return { ...object, metadata: { ...object.metadata, annotations: own } };
  }
}

function datacentersOf(cluster: ObservedCluster, { sources }: ReconcileContext): string[] {
  const { namespace, name } = keyOf(cluster);
  const machines = sources.sourceFor(vsphereMachines).byIndex(labelIndex(labels.clusterName), `${namespace}/${name}`);
  return [...new Set(machines.flatMap(({ spec }) => spec.datacenter ?? []))].sort();
}

interface Account {
  readonly username: string;
  readonly password: string;
  readonly authorities: string;
}

/**
 * Returns the connection to vCenter. Its certificate is verified as by the infrastructure provider: by thumbprint, by CA, or not
 * at all.
 */
function connectionOf(
  { spec }: Frozen<VSphereCluster>,
  datacenters: readonly string[],
  { username, password, authorities }: Account,
): ConnectionAnswers {
  const { host, port } = parseServerAddress(spec.server);
  const thumbprint = spec.thumbprint ?? '';
  return {
    server: host,
    port,
    insecure: thumbprint === '' && authorities === '',
    ...(thumbprint !== '' && { thumbprint }),
    ...(authorities !== '' && { caBundle: authorities }),
    datacenters,
    account: { username, password },
  };
}

async function accountOf(
  driver: DriverName,
  vsphereCluster: Frozen<VSphereCluster>,
  request: RequestedDrivers,
  { read, signal }: ReconcileContext,
): Promise<Account> {
  const { namespace = '' } = vsphereCluster.metadata;
  const name = request.secrets[driver] ?? '';
  const account = await readSecret(read, namespace, name, signal);
  if (account === undefined) throw new DriverError('SecretNotFound', `Secret ${namespace}/${name} not found`);
  if (account.username === '' || account.password === '')
    throw new DriverError('SecretKeysMissing', `Secret ${namespace}/${name} has no username or password`);
  const { identityRef } = vsphereCluster.spec;
  const machines =
    identityRef?.kind === 'Secret' ? await readSecret(read, namespace, identityRef.name, signal) : undefined;
  // The account of the infrastructure provider is rejected: it can create and delete VMs, and so could everyone who can read
  // Secrets in the workload cluster.
  if (machines !== undefined && machines.username.toLowerCase() === account.username.toLowerCase())
    throw new DriverError(
      'AccountOfMachines',
      `Secret ${namespace}/${name} contains ${account.username}, the account of the infrastructure provider`,
    );
  return account;
}

async function readSecret(
  read: Reader,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<Account | undefined> {
  const secret = await ifPresent(read.get(secrets, { namespace, name }, { signal }));
  if (secret === undefined) return undefined;
  const text = (key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
  return { username: text('username'), password: text('password'), authorities: text('ca.crt') };
}
