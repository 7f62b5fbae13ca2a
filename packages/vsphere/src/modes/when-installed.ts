import type { CustomResourceDefinition, Frozen } from '@slipway/kube';
import {
  type Controller,
  type ControllerEnvironment,
  createController,
  customResourceDefinitions,
  done,
  ifPresent,
  type Outcome,
  type ReconcileContext,
  type Resource,
  type RunningController,
  wait,
} from '@slipway/runtime';

const stopMs = 10_000;

/**
 * Runs the controller while the CRDs that it watches are installed. A process serves both modes of vSphere, and starts and
 * stops their controllers as CRDs are installed and deleted.
 */
export function whenInstalled(inner: Controller): Controller {
  const required = new Set(
    inner.watches
      .map(({ resource }) => resource)
      .filter(isCustom)
      .map(definitionName),
  );
  /** UIDs of CRDs that are served, so that each CRD is checked only until it is served. */
  const established = new Set<string>();
  let environment: ControllerEnvironment | undefined;
  let running: RunningController | undefined;
  const stop = async (): Promise<void> => {
    const stopping = running;
    running = undefined;
    await stopping?.stop(stopMs);
  };
  const gate = createController({
    name: `${inner.name}-installation`,
    for: customResourceDefinitions,
    filter: ({ object }) => required.has((object as Frozen<CustomResourceDefinition>).metadata.name ?? ''),
    // The inner controller stops together with this one. Otherwise it would continue to run after the process lost its lease.
    triggers: [() => ({ dispose: stop })],
    async reconcile(_key, context): Promise<Outcome> {
      const missing = await notEstablished(context, required, established);
      if (missing.length > 0) {
        await stop();
        return wait({
          reason: 'WaitingForDefinitions',
          message: `Waiting for CRDs to be installed: ${missing.join(', ')}`,
        });
      }
      if (running !== undefined || environment === undefined) return done();
      await Promise.all(inner.watches.map(({ resource }) => context.sources.syncedFor(resource, context.signal)));
      running = inner.start(environment);
      context.logger.info({ started: inner.name }, 'Starting controller: its CRDs are installed');
      return done();
    },
  });
  return {
    ...gate,
    start(given) {
      environment = given;
      return gate.start(given);
    },
  };
}

function definitionName({ plural, group }: Resource): string {
  return `${plural}.${group}`;
}

/** Returns whether a kind is defined by a CRD. Built-in kinds are always served. */
function isCustom({ group }: Resource): boolean {
  return group.includes('.') && (!group.endsWith('.k8s.io') || group.endsWith('.x-k8s.io'));
}

/**
 * Returns the names of CRDs that the server does not serve. The cache holds only metadata of CRDs, so their status is read from
 * the server. The update that marks a CRD as served triggers a reconcile.
 */
async function notEstablished(
  { sources, read, signal }: ReconcileContext,
  required: ReadonlySet<string>,
  established: Set<string>,
): Promise<string[]> {
  const missing: string[] = [];
  for (const name of required) {
    const key = { namespace: '', name };
    const uid = sources.sourceFor(customResourceDefinitions).get(key)?.metadata.uid;
    if (uid !== undefined && established.has(uid)) continue;
    const definition =
      uid === undefined ? undefined : await ifPresent(read.get(customResourceDefinitions, key, { signal }));
    if (isEstablished(definition)) established.add(definition?.metadata.uid ?? '');
    else missing.push(name);
  }
  return missing;
}

function isEstablished(definition: Frozen<CustomResourceDefinition> | undefined): boolean {
  const conditions = definition?.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}
