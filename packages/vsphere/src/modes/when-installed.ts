import type { CustomResourceDefinition, Frozen } from '@slipway/kube';
import {
  type Controller,
  type ControllerEnvironment,
  createController,
  customResourceDefinitions,
  done,
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
      const missing = [...required].filter((name) => !isEstablished(context, name));
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

function isEstablished({ sources }: ReconcileContext, name: string): boolean {
  const definition = sources.sourceFor(customResourceDefinitions).get({ namespace: '', name });
  return (
    definition?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true
  );
}
