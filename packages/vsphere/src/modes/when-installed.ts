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
 * The controller, running while the kinds that it watches are installed: from the beginning, from when they come, until they
 * go. A process serves both modes of vSphere, and need not know at its start which of them there will be.
 */
export function whenInstalled(inner: Controller): Controller {
  const required = new Set(
    inner.watches
      .map(({ resource }) => resource)
      .filter(isCustom)
      .map(definitionName),
  );
  /** By uid, so that each is asked about until it is served, and not again. */
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
    // Ends with this one: a controller of its own would go on after the process has lost its lease.
    triggers: [() => ({ dispose: stop })],
    async reconcile(_key, context): Promise<Outcome> {
      const missing = await notEstablished(context, required, established);
      if (missing.length > 0) {
        await stop();
        return wait({ reason: 'WaitingForDefinitions', message: `${missing.join(', ')} are not installed` });
      }
      if (running !== undefined || environment === undefined) return done();
      await Promise.all(inner.watches.map(({ resource }) => context.sources.syncedFor(resource, context.signal)));
      running = inner.start(environment);
      context.logger.info({ started: inner.name }, 'Controller started: its kinds are installed');
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

/** Whether a kind comes with a definition: those of Kubernetes itself are always there. */
function isCustom({ group }: Resource): boolean {
  return group.includes('.') && (!group.endsWith('.k8s.io') || group.endsWith('.x-k8s.io'));
}

/**
 * The names of those that the server does not serve. Caches of definitions hold their metadata only, so that the server is
 * asked for the rest; the change by which it begins to serve one is an event that brings us back.
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
