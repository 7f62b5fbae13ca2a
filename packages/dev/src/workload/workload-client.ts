import { addAbortSignal, type Duplex } from 'node:stream';
import type { KubernetesServer, Registry, UserInfo } from '@slipway/apiserver';
import type { HttpResponse } from '@slipway/base';
import { StatusError } from '@slipway/kube';
import { InProcessClient } from '@slipway/plane';
import { ConnectionError, type ObjectKey, type RequestOptions, type RemoteClient } from '@slipway/runtime';
import type { WorkloadCluster } from './workload-cluster.js';

/** An in-process client of a simulated cluster. Requests fail like those of a broken connection while no API server runs. */
export class InProcessWorkloadClient extends InProcessClient implements RemoteClient {
  readonly #workload: WorkloadCluster;
  readonly #server: KubernetesServer;
  readonly #certificate: Uint8Array;
  /** The cached response to a health probe, because a thousand clusters are probed every few seconds. */
  #root: string | undefined;

  constructor(workload: WorkloadCluster, server: KubernetesServer, user: UserInfo, certificate: Uint8Array) {
    super({ registry: guarded(workload, server), user });
    this.#workload = workload;
    this.#server = server;
    this.#certificate = certificate;
  }

  async getRaw(path: string): Promise<string> {
    checkUp(this.#workload);
    if (path !== '/') return this.#ask(path);
    // Drop the cached response if the certificate has expired, so that the probe fails as on a new connection.
    if (this.#server.access.certificates.authenticate(this.#certificate) === 'refused') this.#root = undefined;
    this.#root ??= await this.#ask(path);
    return this.#root;
  }

  /** Opens a stream to a port of a Pod. */
  async portForward(pod: ObjectKey, port: number, { signal }: RequestOptions = {}): Promise<Duplex> {
    signal?.throwIfAborted();
    checkUp(this.#workload);
    const stream = await this.#workload.ports.connect(pod, port);
    if (signal !== undefined) addAbortSignal(signal, stream);
    return stream;
  }

  close(): void {
    // Nothing to close: there is no connection.
  }

  async #ask(path: string): Promise<string> {
    const response = await this.#server.handler.handle({
      method: 'GET',
      url: path,
      headers: { 'user-agent': 'slipway' },
      remoteAddress: '127.0.0.1',
      clientCertificate: this.#certificate,
      readBody: () => Promise.resolve(Buffer.alloc(0)),
      onClose: () => undefined,
    });
    const text = bodyText(response);
    if (response.status < 400) return text;
    const reason = response.status === 401 ? 'Unauthorized' : 'InternalError';
    throw new StatusError({ code: response.status, reason, message: text.trim() });
  }
}

function bodyText({ body }: HttpResponse): string {
  if (body === undefined || typeof body === 'function') return '';
  return (Buffer.isBuffer(body) ? body : Buffer.concat([...body])).toString('utf8');
}

function checkUp(workload: WorkloadCluster): void {
  if (workload.isUp) return;
  throw new ConnectionError('unreachable', `cannot reach ${workload.url}: no API server is running`, { unsent: true });
}

/**
 * The resources that Cluster API reads in a workload cluster and that need no controller of the server. A request for any other
 * resource, such as the Namespaces and Services of a ClusterResourceSet, starts the controllers first.
 */
const quiet: ReadonlySet<string> = new Set([
  '/nodes',
  '/pods',
  '/configmaps',
  '/secrets',
  '/persistentvolumes',
  'apps/daemonsets',
  'apps/deployments',
  'storage.k8s.io/volumeattachments',
  'rbac.authorization.k8s.io/roles',
  'rbac.authorization.k8s.io/rolebindings',
  'rbac.authorization.k8s.io/clusterroles',
  'rbac.authorization.k8s.io/clusterrolebindings',
]);

function guarded(workload: WorkloadCluster, server: KubernetesServer): Registry {
  const { registry } = server;
  return {
    endpoint(group, version, plural) {
      checkUp(workload);
      if (!quiet.has(`${group}/${plural}`)) server.startLoops();
      return registry.endpoint(group, version, plural);
    },
    endpointForKind: (group, version, kind) => registry.endpointForKind(group, version, kind),
    definitions() {
      checkUp(workload);
      return registry.definitions();
    },
    get generation() {
      return registry.generation;
    },
    onChange: (listener) => registry.onChange(listener),
  };
}
