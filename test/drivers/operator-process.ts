import { readFileSync } from 'node:fs';
import { type Logger, Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  operatorManifest,
  operatorName,
  operatorNamespace,
  type OperatorOptions,
  runOperator,
  type RunningOperator,
  vdoConfigs,
  type VdoConfig,
  writeObjects,
} from '@slipway/drivers';
import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import {
  asRemoteCluster,
  ChangeExecutor,
  type Client,
  connectionOf,
  createHttpClient,
  type HttpClient,
  type ObjectKey,
  parseKubeconfig,
  type Resource,
  serviceAccounts,
} from '@slipway/runtime';
import { SimulatedCluster } from '../../packages/drivers/test/support/simulated-cluster.js';

const timeoutMs = 120_000;

/** A server with administrator access. */
export interface AdministeredServer {
  readonly url: string;
  readonly certificateAuthority: string;
  readonly kubeconfigFile: string;
  stop(): Promise<void>;
}

/** Installs the objects of the operator on a server, and runs the operator with its own ServiceAccount. */
export class OperatorOnServer {
  readonly #scope = new Scope();
  /** The requests of the operator that were forbidden. */
  readonly refused: string[] = [];
  operator: RunningOperator | undefined;

  private constructor(
    readonly server: AdministeredServer,
    readonly client: HttpClient,
    readonly environment: SimulatedCluster,
  ) {}

  static async start(
    server: AdministeredServer,
    machines: readonly string[] = [],
    { isInstalled = true }: { readonly isInstalled?: boolean } = {},
  ): Promise<OperatorOnServer> {
    const kubeconfig = parseKubeconfig(readFileSync(server.kubeconfigFile, 'utf8'), 'kubeconfig');
    const client = createHttpClient(connectionOf(kubeconfig, {}));
    const environment = new SimulatedCluster(
      client,
      () => Date.now(),
      ...(machines.length === 0 ? [] : [(place: number) => machines[place] ?? '']),
    );
    const made = new OperatorOnServer(server, client, environment);
    made.#scope.defer(() => server.stop());
    made.#scope.defer(() => client.close());
    await made.environment.ensureNamespace('kube-system');
    if (!isInstalled) return made;
    const manifest = operatorManifest({ image: 'slipway/manager:test', version: 'test' });
    const writer = new ChangeExecutor({ client, clock: systemClock, controller: 'test' });
    await writeObjects(writer, manifest, { signal: AbortSignal.timeout(timeoutMs) });
    return made;
  }

  /** Starts the operator with a token of its ServiceAccount, so that forbidden requests are rejected and recorded. */
  async startOperator(options: Partial<OperatorOptions> = {}, logger: Logger = silentLogger): Promise<void> {
    const key = { namespace: operatorNamespace, name: operatorName };
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
    const answer = await this.client.createSubresource(serviceAccounts, key, 'token', request);
    const { token } = answer['status'] as unknown as { token: string };
    const own = createHttpClient({
      server: this.server.url,
      certificateAuthority: { data: this.server.certificateAuthority },
      token: { data: token },
    });
    this.#scope.defer(() => own.close());
    const noted = noting(own, this.refused);
    const getRaw: typeof own.getRaw = (...given) => own.getRaw(...given);
    this.operator = await runOperator({
      cluster: asRemoteCluster({ name: 'test', read: noted, getRaw }, noted),
      clock: systemClock,
      random: systemRandom,
      logger,
      leaderElect: true,
      namespace: operatorNamespace,
      updatePolicy: 'latest',
      images: {},
      deletionPolicy: 'Retain',
      ...options,
    });
  }

  async stopOperator(): Promise<void> {
    await this.operator?.stop();
    this.operator = undefined;
  }

  until(check: (config: Frozen<VdoConfig>) => boolean, act?: () => Promise<void>): Promise<Frozen<VdoConfig>> {
    return untilObject(this.client, vdoConfigs, { namespace: operatorNamespace, name: 'vdo' }, check, act);
  }

  async untilGone<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    const scope = { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}` };
    for (;;) {
      const { items, resourceVersion } = await this.client.list(resource, scope);
      if (items.length === 0) return;
      signal.throwIfAborted();
      for await (const _events of this.client.watch(resource, { ...scope, resourceVersion, signal })) break;
    }
  }

  async stop(): Promise<void> {
    await this.stopOperator();
    await this.#scope.dispose();
  }
}

/** Watches until an object matches. */
export async function untilObject<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  key: ObjectKey,
  check: (object: Frozen<T>) => boolean,
  act: () => Promise<void> = () => Promise.resolve(),
): Promise<Frozen<T>> {
  const signal = AbortSignal.timeout(timeoutMs);
  const scope = { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}` };
  for (;;) {
    const { items, resourceVersion } = await client.list(resource, scope);
    const [found] = items;
    if (found !== undefined && check(found)) return found;
    if (signal.aborted) throw new Error(`${resource.kind} ${key.name} did not get there: ${describeObject(found)}`);
    await act();
    try {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(1_000)]);
      for await (const _events of client.watch(resource, { ...scope, resourceVersion, signal: soon })) break;
    } catch {
      // The watch ended: list again.
    }
  }
}

/** Returns the details of an object that does not become ready, for failure messages. */
function describeObject(object: unknown): string {
  const { status } = (object ?? {}) as { readonly status?: { readonly conditions?: readonly NamedCondition[] } };
  const lines = (status?.conditions ?? []).map(({ type, status: is, reason, message }) =>
    `${type}=${is} ${reason} ${message}`.slice(0, 300),
  );
  return lines.join('\n');
}

interface NamedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Records forbidden requests, so that an incomplete role fails the test even if the error is handled elsewhere. */
function noting(client: HttpClient, refused: string[]): HttpClient {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, given);
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          if (isReason(error, 'Forbidden')) refused.push((error as Error).message);
          throw error;
        });
      };
    },
  });
}
