import { annotations, fieldAt, flagAt, listAt } from '@slipway/cluster-api';
import { asJson, deepEqual, type Frozen, type JsonObject, type KubeObject, parseApiVersion } from '@slipway/kube';
import {
  type Controller,
  customResourceDefinitions,
  ifPresent,
  keyOf,
  type ReconcileContext,
  type Resource,
  secrets,
} from '@slipway/runtime';
import { concerns, createReportingController } from '../cluster-operator/report.js';
import type { Result } from '../cluster-operator/result.js';
import { controlPlaneMachineSets, mapiMachines } from '../api/index.js';
import { infrastructureGroup, managedByUs, namespaces, singletonKey } from '../names.js';
import {
  type DiscoveredNetworks,
  infraApiVersion,
  infraClusterKind,
  type DesiredInfraCluster,
  PlatformError,
  type PlatformFacts,
} from '../platforms/index.js';
import type { ActiveScope } from '../scope/scope.js';
import { discoverNetworks, type OpenStackNetworkService, serverIdOf } from './networks.js';
import { controlPlaneProviderSpec, isControlPlaneMachine } from './provider-spec.js';

export interface InfraClusterOptions {
  readonly version: string;
  /** Client of the cloud, for platforms that need it. */
  readonly networkService?: OpenStackNetworkService;
}

/** Creates the InfraCluster from the existing infrastructure once, and sets it ready if this operator manages it. */
export function createInfraClusterController(options: InfraClusterOptions): Controller {
  const inMachineApi = ({ namespace }: { readonly namespace: string }): boolean => namespace === namespaces.machineApi;
  return createReportingController({
    name: 'InfraClusterController',
    version: options.version,
    watches: [
      concerns(customResourceDefinitions, ({ name }) => name.endsWith(`clusters.${infrastructureGroup}`)),
      concerns(mapiMachines, inMachineApi),
      concerns(controlPlaneMachineSets, inMachineApi),
      concerns(secrets, isCredential),
    ],
    run: (scope, context) => reconcile(options, scope, context),
  });
}

function isCredential({ namespace, name }: { readonly namespace: string; readonly name: string }): boolean {
  return (
    (namespace === 'kube-system' && name === 'vsphere-creds') ||
    (namespace === namespaces.clusterApi && name.endsWith('-credentials'))
  );
}

async function reconcile(options: InfraClusterOptions, scope: ActiveScope, context: ReconcileContext): Promise<Result> {
  const { read, signal } = context;
  const kind = infraClusterKind(scope.platform);
  const resource = await read.resourceFor({ group: infrastructureGroup, kind, version: scope.platform.version });
  // The resource can be watched only after the provider has installed the CRD.
  if (resource === undefined) return { type: 'waiting', message: `the CRD of ${kind}` };
  const source = await context.follow(concerns(resource));
  const key = { namespace: namespaces.clusterApi, name: scope.infraName };
  const existing = source.get(key) ?? (await ifPresent(read.get(resource, key, { signal })));
  if (existing !== undefined && existing.metadata.annotations?.[annotations.managedBy] !== managedByUs)
    return { type: 'success', message: `${kind} ${scope.infraName} is externally managed` };
  if (existing !== undefined && scope.platform.secretKeys === undefined) return callReady(resource, existing, context);
  const desired = scope.platform.infraCluster(await gatherFacts(options, scope, context));
  for (const companion of desired.companions ?? []) await keep(companion, context);
  const object =
    existing ??
    (await context.change({
      verb: 'create',
      resource,
      object: infraCluster(scope, desired),
      reason: 'InfraClusterMissing',
      message: `Created ${kind} ${scope.infraName} for the infrastructure of this cluster`,
    }));
  return desired.isManagedByUs ? callReady(resource, object, context) : { type: 'success' };
}

function infraCluster({ platform, infraName }: ActiveScope, desired: DesiredInfraCluster): KubeObject {
  return {
    apiVersion: infraApiVersion(platform),
    kind: infraClusterKind(platform),
    metadata: {
      namespace: namespaces.clusterApi,
      name: infraName,
      ...(desired.isManagedByUs && { annotations: { [annotations.managedBy]: managedByUs } }),
    },
    spec: desired.spec,
  };
}

/** Sets the InfraCluster ready. Updates the status subresource only. */
async function callReady(resource: Resource, object: Frozen<KubeObject>, context: ReconcileContext): Promise<Result> {
  const message = 'InfraCluster Controller works as expected';
  if (flagAt(object, 'status', 'ready')) return { type: 'success', message };
  const patch = { status: { ready: true } };
  await context.change({
    verb: 'patch',
    resource,
    key: keyOf(object),
    body: { type: 'merge', patch },
    subresource: 'status',
    reason: 'InfrastructureReady',
    message: `Set ${object.kind} ${object.metadata.name ?? ''} ready: the installer has created its infrastructure`,
  });
  return { type: 'success', message };
}

async function gatherFacts(
  options: InfraClusterOptions,
  { platform, infrastructure, infraName, endpoint }: ActiveScope,
  { read, sources, signal }: ReconcileContext,
): Promise<PlatformFacts> {
  const machines = [...sources.sourceFor(mapiMachines).list()].filter(
    ({ metadata }) => metadata.namespace === namespaces.machineApi,
  );
  const setKey = { namespace: namespaces.machineApi, name: singletonKey.name };
  const providerSpec = controlPlaneProviderSpec(sources.sourceFor(controlPlaneMachineSets).get(setKey), machines);
  if (platform.needsProviderSpec && providerSpec === undefined)
    throw new PlatformError('WaitingOnExternal', 'a control plane machine with a providerSpec');
  const keys = platform.secretKeys?.({ infrastructure, providerSpec }) ?? [];
  const found = await Promise.all(keys.map((key) => ifPresent(read.get(secrets, key, { signal }))));
  const ids = machines.filter(isControlPlaneMachine).flatMap(({ spec }) => serverIdOf(spec?.providerID) ?? []);
  const networks = platform.discoversNetworks === true ? await findNetworks(options, infrastructure, ids) : undefined;
  const secret: PlatformFacts['secret'] = ({ namespace, name }) =>
    found.find((one) => one?.metadata.namespace === namespace && one.metadata.name === name);
  return { infrastructure, infraName, endpoint, providerSpec, secret, networks };
}

async function findNetworks(
  { networkService }: InfraClusterOptions,
  infrastructure: Frozen<KubeObject>,
  serverIds: readonly string[],
): Promise<DiscoveredNetworks> {
  if (networkService === undefined)
    throw new PlatformError('WaitingOnExternal', 'access to the network service of OpenStack');
  const ips = listAt(infrastructure, 'status', 'platformStatus', 'openstack', 'apiServerInternalIPs');
  return discoverNetworks(networkService, serverIds, ips.map(String));
}

/** Updates a credential or identity object whenever it differs, because passwords are rotated. */
async function keep(desired: KubeObject, context: ReconcileContext): Promise<void> {
  const { read, signal } = context;
  const name = `${desired.kind} ${desired.metadata.name ?? ''}`;
  const { group, version } = parseApiVersion(desired.apiVersion);
  const resource = await read.resourceFor({ group, version, kind: desired.kind });
  if (resource === undefined) throw new PlatformError('WaitingOnExternal', `the CRD of ${desired.kind}`);
  const existing = await ifPresent(read.get(resource, keyOf(desired), { signal }));
  if (existing === undefined) {
    const message = `Created ${name} for the infrastructure provider`;
    await context.change({ verb: 'create', resource, object: desired, reason: 'CredentialsMissing', message });
    return;
  }
  const differing = Object.keys(desired).filter(
    (field) => field !== 'metadata' && !deepEqual(fieldAt(existing, field), fieldAt(desired, field)),
  );
  if (differing.length === 0) return;
  const patch: JsonObject = Object.fromEntries(differing.map((field) => [field, asJson(desired)[field] ?? null]));
  await context.change({
    verb: 'patch',
    resource,
    key: keyOf(desired),
    body: { type: 'merge', patch },
    reason: 'CredentialsChanged',
    message: `Updated ${name} to the credentials of the cluster`,
  });
}
