import { type Disposable, Scope, seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import type { CustomResourceDefinition, Frozen, KubeObject } from '@slipway/kube';
import { AdmissionChain, createNamespaceLifecycle } from '../../admission/index.js';
import { createSigningRequestStrategies } from '../../auth/certificates/signing-request-strategy.js';
import { builtinDefinitions, ServiceNetwork } from '../../kinds/index.js';
import { CrdController } from '../custom-resources/crd-controller.js';
import { LoopbackClient, ResourceRegistry } from '../../registry/index.js';
import { openMemoryStore } from '../../storage/index.js';
import type { Store } from '../../contract/index.js';
import type { ControllerDependencies } from '../shared/index.js';

/** Maximum real time that `until` waits. */
const patienceMs = 30_000;

/** A registry on an in-memory store with virtual time, for tests of controllers. */
export class Plane implements ControllerDependencies {
  readonly logger = silentLogger;
  readonly random = seededRandom(1);
  readonly admission = new AdmissionChain();
  readonly registry: ResourceRegistry;
  readonly client: LoopbackClient;
  readonly network: ServiceNetwork;
  readonly #scope = new Scope();

  private constructor(
    readonly store: Store,
    readonly clock: VirtualClock,
  ) {
    this.admission.add(createNamespaceLifecycle(store));
    this.registry = new ResourceRegistry({ store, clock, random: this.random, admission: this.admission });
    this.client = new LoopbackClient(this.registry, 'test');
    this.network = new ServiceNetwork({
      clusterRange: '10.96.0.0/16',
      nodePorts: { first: 30_000, last: 32_767 },
      services: () => store.list({ resource: 'services' }).map(({ object }) => object),
      random: this.random,
    });
    const hooks = { certificates: createSigningRequestStrategies(), serviceNetwork: this.network };
    for (const definition of builtinDefinitions(hooks)) this.registry.install(definition);
    const converters = { inProcess: () => undefined, webhook: () => (): never => Plane.#noWebhooks() };
    const { registry, logger } = this;
    this.#scope.add(new CrdController({ store, registry, clock, logger, converters })).start();
  }

  static #noWebhooks(): never {
    throw new Error('there are no webhooks in these tests');
  }

  static async open(store?: Store, clock = new VirtualClock()): Promise<Plane> {
    return new Plane(store ?? (await openMemoryStore({ clock })), clock);
  }

  run<T extends Disposable>(controller: T): T {
    return this.#scope.add(controller);
  }

  /** Runs all pending work that does not wait for virtual time to pass. */
  async settle(): Promise<void> {
    for (let quiet = 0, revision = this.store.revision; quiet < 5; revision = this.store.revision) {
      await this.clock.advance(0);
      quiet = this.store.revision === revision ? quiet + 1 : 0;
    }
  }

  /** Waits for work in other threads (signing, hashing), whose completion the event loop cannot predict. */
  async until(done: () => boolean): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (!done()) {
      if (performance.now() > deadline)
        throw new Error(`the expected state was not reached within ${patienceMs / 1_000} s`);
      await this.settle();
    }
  }

  /** Advances virtual time and runs the resulting work. */
  async advance(ms: number): Promise<void> {
    await this.settle();
    await this.clock.advance(ms);
    await this.settle();
  }

  get(resource: string, namespace: string, name: string): Frozen<KubeObject> | undefined {
    return this.store.get({ resource, namespace, name })?.object;
  }

  names(resource: string, namespace?: string): string[] {
    const range = { resource, ...(namespace === undefined ? {} : { namespace }) };
    return this.store.list(range).map(({ key }) => key.name);
  }

  async namespace(name: string): Promise<void> {
    await this.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }

  configMap(
    namespace: string,
    name: string,
    metadata: Partial<KubeObject['metadata']> = {},
  ): Promise<Frozen<KubeObject>> {
    return this.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, ...metadata } });
  }

  /** Creates a CRD for `<Kind>` with the plural `<kind>s` in example.com/v1. */
  async define(kind: string, scope: 'Namespaced' | 'Cluster' = 'Namespaced'): Promise<void> {
    const plural = `${kind.toLowerCase()}s`;
    const schema = { openAPIV3Schema: { type: 'object' as const } };
    const crd: CustomResourceDefinition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: 'example.com',
        scope,
        names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    await this.client.create(crd as unknown as KubeObject);
    await this.settle();
  }

  dispose(): Promise<void> {
    return this.#scope.dispose();
  }
}
