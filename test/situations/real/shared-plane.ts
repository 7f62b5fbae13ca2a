import { type Explanation, type ObjectRef, refText } from '@slipway/insight';
import { clusterManifests, ref } from '../../../packages/insight/test/manifests.js';
import { explainObject } from '../../../packages/insight/test/situations.js';
import {
  startSimulatedPlane,
  type SimulatedPlane,
  type SimulatedPlaneProvider,
} from '../../../packages/insight/test/simulated-plane.js';

/** Where a situation is created: on a plane that all situations share, in a namespace, with a cluster name. */
export interface Place {
  readonly plane: SimulatedPlane;
  readonly namespace: string;
  readonly name: string;
}

/** A situation of the catalogue, created with real controllers. */
export interface RealSituation {
  /** The name of the situation in the catalogue, whose expectation applies. */
  readonly row: string;
  /** Creates and breaks the objects. Returns the object to explain, if it is not the Cluster. */
  readonly make: (place: Place) => Promise<ObjectRef | undefined> | Promise<void>;
  /** Names that differ from those of the catalogue, as regular expressions: `worker` is usually a Machine of a MachineSet. */
  readonly names?: Readonly<Partial<Record<'worker' | 'control-plane', string>>>;
}

/** What `slipway why` reports at the end of `make`. */
export interface Result {
  readonly place: Place;
  readonly explanation: Explanation;
}

const stepMs = 50;
/** Virtual time between two checks of the conditions that situations wait for. */
const checkMs = 500;
const limitMs = 40 * 60_000;
/** Virtual time that controllers get to react after a condition holds. */
const reactionMs = 2_000;

/** Advances the time of one plane for many situations together, so that their waits overlap. */
class SharedTime {
  #waiting: {
    readonly isDone: () => Promise<boolean>;
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  }[] = [];

  constructor(private readonly plane: SimulatedPlane) {}

  /** Returns the plane with waits that do not advance the time themselves. */
  get shared(): SimulatedPlane {
    const { plane } = this;
    const advance = (ms: number): Promise<void> => {
      const endMs = plane.clock.now() + ms;
      return this.#wait(async () => plane.clock.now() >= endMs);
    };
    return {
      ...plane,
      advance,
      until: async (what, holds) => {
        const endMs = plane.clock.now() + limitMs;
        await this.#wait(async () => {
          if (await holds()) return true;
          if (plane.clock.now() > endMs) throw new Error(`not within ${limitMs / 60_000} min: ${what}`);
          return false;
        });
        await advance(reactionMs);
      },
    };
  }

  /** Runs the tasks together. Time advances until all have ended. */
  async run<T>(tasks: readonly Promise<T>[]): Promise<readonly PromiseSettledResult<T>[]> {
    let isRunning = true;
    const settled = Promise.allSettled(tasks).finally(() => {
      isRunning = false;
    });
    for (let step = 0; isRunning; step += 1) {
      await this.plane.clock.advance(stepMs);
      if (step % (checkMs / stepMs) === 0) await this.#check();
    }
    return settled;
  }

  #wait(isDone: () => Promise<boolean>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ isDone, resolve, reject });
    });
  }

  async #check(): Promise<void> {
    const before = this.#waiting;
    this.#waiting = [];
    await Promise.all(
      before.map(async (one) => {
        try {
          if (await one.isDone()) one.resolve();
          else this.#waiting.push(one);
        } catch (error) {
          one.reject(error);
        }
      }),
    );
    // Also lets sockets and other threads work, for which virtual time does not wait.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The namespace in which all situations run beside each other and beside neighbours. */
const sharedNamespace = 'team';
const addOnLabel = { cni: 'calico' };

/** Creates each situation alone in a namespace, and beside neighbours. Returns the results by form and situation. */
export async function createSituations(
  situations: readonly RealSituation[],
  options: { readonly gates?: readonly string[]; readonly provider?: SimulatedPlaneProvider } = {},
): Promise<{ readonly results: ReadonlyMap<string, Result | Error>; readonly stop: () => Promise<void> }> {
  const { gates = [], provider } = options;
  const own = await startSimulatedPlane(gates, provider === undefined ? {} : { provider });
  const time = new SharedTime(own);
  const plane = withAddOns(time.shared);
  const results = new Map<string, Result | Error>();
  const record = async (key: string, { make }: RealSituation, place: Place): Promise<void> => {
    try {
      const subject = ((await make(place)) as ObjectRef | undefined) ?? ref('Cluster', place.namespace, place.name);
      results.set(key, { place, explanation: await explainObject(own, subject) });
    } catch (error) {
      results.set(key, error instanceof Error ? error : new Error(String(error)));
    }
  };
  await time.run([createNeighbours(plane)]);
  await time.run(
    situations.flatMap((situation, index) => [
      record(`alone: ${situation.row}`, situation, { plane, namespace: `alone-${index + 1}`, name: 'demo' }),
      record(`beside neighbours: ${situation.row}`, situation, {
        plane,
        namespace: sharedNamespace,
        name: `row-${index + 1}`,
      }),
    ]),
  );
  return { results, stop: () => own.stop() };
}

/** Labels every Cluster of the shared namespace, so that its ClusterResourceSet selects the Cluster. */
function withAddOns(plane: SimulatedPlane): SimulatedPlane {
  return {
    ...plane,
    create: (...objects) =>
      plane.create(
        ...(objects as readonly { kind: string; metadata: { namespace?: string; labels?: object } }[]).map((object) =>
          object.kind === 'Cluster' && object.metadata.namespace === sharedNamespace
            ? { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...addOnLabel } } }
            : object,
        ),
      ),
  };
}

const healthyCount = 10;

/** Creates ten healthy clusters, a cluster with an unsupported backend, a paused one, and add-ons for all clusters. */
async function createNeighbours(plane: SimulatedPlane): Promise<void> {
  const namespace = sharedNamespace;
  await plane.create(
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'network', namespace },
      data: {
        'network.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: network\n  namespace: kube-system\n',
      },
    },
    {
      apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
      kind: 'ClusterResourceSet',
      metadata: { name: 'network', namespace },
      spec: { clusterSelector: { matchLabels: addOnLabel }, resources: [{ kind: 'ConfigMap', name: 'network' }] },
    },
  );
  const names = Array.from({ length: healthyCount }, (_, index) => `healthy-${index}`);
  for (const name of names) await plane.create(...clusterManifests({ name, namespace }));
  await plane.create(...withBackend(clusterManifests({ name: 'broken-backend', namespace }), 'broken-backend'));
  await plane.create(...clusterManifests({ name: 'broken-paused', namespace }));
  await plane.merge(ref('Cluster', namespace, 'broken-paused'), { spec: { paused: true } });
  for (const name of names)
    await plane.until(`${name} is available`, async () => {
      const { status } = (await plane.get(ref('Cluster', namespace, name))) as {
        status?: { conditions?: readonly { type: string; status: string }[] };
      };
      return status?.conditions?.some((one) => one.type === 'Available' && one.status === 'True') === true;
    });
}

/** Requests a backend that does not exist for the machines of one template. */
export function withBackend(objects: readonly object[], template: string): readonly object[] {
  return (objects as readonly { kind: string; metadata: { name: string } }[]).map((object) =>
    object.kind === 'DevMachineTemplate' && object.metadata.name === template
      ? { ...object, spec: { template: { spec: { backend: { docker: {} } } } } }
      : object,
  );
}

/** Describes the explanation, for a failing test. */
export function summaryOf({ verdict, root, others }: Explanation): string {
  const lines = [root, ...others].map((one) =>
    one === undefined ? 'nothing' : `${one.cause} ${refText(one.object)} ${one.reason}: ${one.message}`,
  );
  return [
    verdict,
    ...(root?.path ?? []).map(({ object, relation }) => `${relation} ${refText(object)}`),
    ...lines,
  ].join('\n');
}
