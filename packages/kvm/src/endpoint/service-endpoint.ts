import { deepEqual, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import {
  done,
  ifPresent,
  type ReconcileContext,
  ReconcileError,
  type Resource,
  type Service,
  services,
  wait,
  watch,
  type Watch,
} from '@slipway/runtime';
import { labels } from '@slipway/cluster-api';
import type { KVMCluster } from '../api/index.js';
import type { EndpointProgress, EndpointRequest, EndpointService } from '../cluster/endpoint-service.js';
import type { HostingClusters, PodCluster } from '../pod/index.js';
import {
  endpointNames,
  endpointPorts,
  endpointSliceOf,
  ingressOf,
  kvmClusterLabel,
  publicNameOf,
  serviceOf,
  tlsRouteOf,
} from './endpoint-objects.js';
import { endpointSlices, ingresses, type TlsRoute, tlsRoutes } from './resources.js';

const fieldManager = 'slipway-kvm';

/** A Service in front of the control plane, optionally behind an Ingress or a TLSRoute. */
export class ServiceEndpoint implements EndpointService {
  readonly types = ['Service', 'Ingress', 'Gateway'] as const;
  readonly #hosting: HostingClusters;

  /** `hosting` are the clusters that run the pods, in which the Service is created. */
  constructor(hosting: HostingClusters) {
    this.#hosting = hosting;
  }

  watches(): readonly Watch[] {
    // Maps a Service to its KVMCluster: the load balancer controller of the cloud writes the address into the status of the
    // Service.
    const map = ({ metadata }: Frozen<Service>) => {
      const name = metadata.labels?.[kvmClusterLabel];
      return name === undefined ? [] : [{ namespace: metadata.namespace ?? '', name }];
    };
    return [watch(services, { map })];
  }

  async ensure(request: EndpointRequest, context: ReconcileContext): Promise<EndpointProgress> {
    const { kvmCluster, exposure, backend, members } = request;
    const host = await this.#hosting.clusterFor(kvmCluster, context.read);
    const names = endpointNames(kvmCluster, request.cluster.metadata.name ?? '');
    const isPublic = exposure.type === 'Ingress' || exposure.type === 'Gateway';
    const servicePort = isPublic
      ? endpointPorts.api
      : (kvmCluster.spec?.controlPlaneEndpoint?.port ?? endpointPorts.api);
    const apply = applierFor(host, context, request);
    const service = await apply(services, serviceOf(names, exposure, servicePort, backend === 'pod'));
    if (backend === 'local') await apply(endpointSlices, endpointSliceOf(names, members));
    const attached = members.filter(({ isLeaving }) => !isLeaving).map(({ name }) => name);
    if (!isPublic) return { ...serviceAddress(service, request, servicePort), attached };
    const name = publicNameOf(names.clusterName, baseDomainOf(request));
    if (exposure.type === 'Ingress') await apply(ingresses, ingressOf(names, exposure, name, servicePort));
    else await applyRoute(apply, tlsRouteOf(names, exposure, name, servicePort));
    return { endpoint: { host: name, port: endpointPorts.https }, attached, outcome: done() };
  }

  async remove(kvmCluster: Frozen<KVMCluster>, context: ReconcileContext): Promise<string | undefined> {
    const host = await this.#hosting.clusterFor(kvmCluster, context.read);
    const clusterName = kvmCluster.metadata.labels?.[labels.clusterName] ?? kvmCluster.metadata.name ?? '';
    const names = endpointNames(kvmCluster, clusterName);
    const { type } = kvmCluster.spec?.controlPlaneExposure ?? {};
    const drop = async <T extends KubeObject>(resource: Resource<T>, name: string): Promise<void> => {
      const key = { namespace: names.namespace, name };
      const found = await ifPresent(host.read.get(resource, key, { signal: context.signal }));
      // Without the label, the object belongs to another owner that uses the same name, and is kept.
      if ((found as Frozen<KubeObject> | undefined)?.metadata.labels?.[kvmClusterLabel] !== names.kvmCluster) return;
      await context.change({
        ...host.target,
        verb: 'delete',
        resource,
        key,
        reason: 'ClusterDeleted',
        message: `Deleted ${resource.kind} ${name} of KVMCluster ${names.kvmCluster}`,
      });
    };
    if (type === 'Ingress') await drop(ingresses, names.service);
    if (type === 'Gateway') for (const version of tlsRoutes) await drop(version, names.service);
    await drop(endpointSlices, `${names.service}-capk`);
    await drop(services, names.service);
    return undefined;
  }
}

/** Applies the TLSRoute in the first version that the cluster serves. */
async function applyRoute(apply: Apply, route: ReturnType<typeof tlsRouteOf>): Promise<void> {
  for (const resource of tlsRoutes) {
    const apiVersion = `${resource.group}/${resource.version}`;
    if ((await ifPresent(apply(resource, { ...route, apiVersion } as TlsRoute))) !== undefined) return;
  }
  throw new ReconcileError('GatewayApiMissing', 'the cluster that hosts the endpoint does not serve TLSRoute', {
    retry: 'later',
    remedy: 'install the Gateway API CRDs with TLSRoute, or choose another spec.controlPlaneExposure.type',
  });
}

function baseDomainOf({ exposure, kvmCluster }: EndpointRequest): string {
  if (exposure.baseDomain !== undefined) return exposure.baseDomain;
  const path = 'spec.controlPlaneExposure.baseDomain';
  const message = `KVMCluster ${kvmCluster.metadata.name ?? ''} has exposure type ${exposure.type ?? ''} without ${path}`;
  throw new ReconcileError('InvalidSpec', message, { retry: 'onChange', remedy: `set ${path}` });
}

/** Returns host and port for clients. A host that the user set is kept: it may be the DNS name of the Service. */
function serviceAddress(
  service: Frozen<Service>,
  { kvmCluster, exposure }: EndpointRequest,
  port: number,
): Omit<EndpointProgress, 'attached'> {
  const given = kvmCluster.spec?.controlPlaneEndpoint?.host ?? '';
  const { type = 'ClusterIP', ports = [] } = service.spec ?? {};
  if (type !== 'NodePort') {
    const host = given === '' ? addressOf(service, type) : given;
    const message = `Service ${service.metadata.name ?? ''} of type ${exposure.serviceType ?? type} has no address yet`;
    return host === '' ? waiting(message) : found(host, port);
  }
  const nodePort = ports.find(({ name }) => name === 'api')?.nodePort ?? port;
  if (given !== '') return found(given, nodePort);
  return waiting('a NodePort Service has no address; set spec.controlPlaneEndpoint.host to the address of a node');
}

function addressOf({ spec, status }: Frozen<Service>, type: string): string {
  if (type !== 'LoadBalancer') return spec?.clusterIP ?? '';
  const [ingress] = status?.loadBalancer?.ingress ?? [];
  return ingress?.ip ?? ingress?.hostname ?? '';
}

function waiting(message: string): Omit<EndpointProgress, 'attached'> {
  const problem = { reason: 'WaitingForAddress', message };
  return { problem, outcome: wait(problem) };
}

function found(host: string, port: number): Omit<EndpointProgress, 'attached'> {
  return { endpoint: { host, port }, outcome: done() };
}

type Apply = <T extends KubeObject>(resource: Resource<T>, object: T) => Promise<Frozen<T>>;

/**
 * Returns a function that applies only objects that differ, so that an unchanged endpoint causes no writes and no change records.
 */
function applierFor({ read, target }: PodCluster, context: ReconcileContext, { kvmCluster }: EndpointRequest): Apply {
  return async (resource, object) => {
    const { namespace = '', name = '' } = (object as KubeObject).metadata;
    const key = { namespace, name };
    const configuration = object as unknown as JsonObject;
    const apply = { ...target, resource, key, configuration, fieldManager };
    const live = await ifPresent(read.get(resource, key, { signal: context.signal }));
    if (live !== undefined && deepEqual(withoutTimes(await context.preview(apply)), withoutTimes(live))) return live;
    return context.change({
      ...apply,
      verb: 'apply',
      reason: 'EndpointChanged',
      message: `Applied ${resource.kind} ${name} for the endpoint of KVMCluster ${kvmCluster.metadata.name ?? ''}`,
    });
  };
}

/** Removes managed fields before a comparison: they contain the time of the request. */
function withoutTimes(object: Frozen<KubeObject>): unknown {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
