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
} from '@slipway/drivers';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Client,
  connectionOf,
  createHttpClient,
  type HttpClient,
  type ObjectKey,
  parseKubeconfig,
  type Resource,
  serviceAccounts,
} from '@slipway/runtime';
import { Stage } from '../../packages/drivers/test/support/stage.js';
import { resourceOfObject } from '../../packages/drivers/src/deploy/resource-of-object.js';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';

const patienceMs = 60_000;

/** kube-apiserver with the operator's own objects, and the operator on it under its own account. */
export class OperatorOnKubernetes {
  readonly #scope = new Scope();
  readonly refused: string[] = [];
  operator: RunningOperator | undefined;

  private constructor(
    readonly server: RealKubeApiserver,
    readonly client: HttpClient,
    readonly stage: Stage,
  ) {}

  static async start(): Promise<OperatorOnKubernetes> {
    const server = await startRealKubeApiserver();
    const client = clientOf(server.kubeconfig);
    const made = new OperatorOnKubernetes(server, client, new Stage(client, () => Date.now()));
    made.#scope.defer(() => server.stop());
    made.#scope.defer(() => client.close());
    await made.stage.ensureNamespace('kube-system');
    for (const object of operatorManifest({ image: 'slipway/manager:test', version: 'test' })) await made.apply(object);
    return made;
  }

  async apply(object: KubeObject): Promise<void> {
    const resource = await resourceOfObject(this.client, object);
    const key = { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
    await this.client.apply(resource, key, object as never, { fieldManager: 'test', force: true });
  }

  /** With a token of its service account: what that may not do is refused, and noted. */
  async startOperator(options: Partial<OperatorOptions> = {}, logger: Logger = silentLogger): Promise<void> {
    const key = { namespace: operatorNamespace, name: operatorName };
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
    const answer = await this.client.createSubresource(serviceAccounts as unknown as Resource, key, 'token', request);
    const { token } = answer['status'] as unknown as { token: string };
    const own = createHttpClient({
      server: this.server.url,
      certificateAuthority: { data: this.server.certificateAuthority },
      token: { data: token },
    });
    this.#scope.defer(() => own.close());
    this.operator = await runOperator({
      client: noting(own, this.refused),
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

  async stop(): Promise<void> {
    await this.stopOperator();
    await this.#scope.dispose();
  }
}

function clientOf(kubeconfig: string): HttpClient {
  return createHttpClient(connectionOf(parseKubeconfig(kubeconfig, 'kubeconfig') as never, {}));
}

/** Waits for an object that fits, from change to change. */
export async function untilObject<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  key: ObjectKey,
  check: (object: Frozen<T>) => boolean,
  act: () => Promise<void> = () => Promise.resolve(),
): Promise<Frozen<T>> {
  const signal = AbortSignal.timeout(patienceMs);
  const scope = { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}` };
  for (;;) {
    const { items, resourceVersion } = await client.list(resource, scope);
    const [found] = items;
    if (found !== undefined && check(found)) return found;
    if (signal.aborted)
      throw new Error(`${resource.kind} ${key.name} did not get there: ${JSON.stringify(found, undefined, 1)}`);
    await act();
    try {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(1_000)]);
      for await (const _events of client.watch(resource, { ...scope, resourceVersion, signal: soon })) break;
    } catch {
      // Over for now: the next look tells.
    }
  }
}

/** Notes what was refused: a role that lacks something fails the test that way, whoever swallows the error. */
function noting(client: HttpClient, refused: string[]): HttpClient {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, given);
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          if (error instanceof Error && /is forbidden|cannot /.test(error.message)) refused.push(error.message);
          throw error;
        });
      };
    },
  });
}
