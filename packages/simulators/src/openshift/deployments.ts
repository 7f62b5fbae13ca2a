import { formatTime, type Frozen, type JsonObject } from '@slipway/kube';
import { type ControllerSet, createController, type Deployment, deployments, done } from '@slipway/runtime';

/** Image pulls fail for image names that contain this text. */
export const unavailableImage = 'unavailable';

/** Simulates the Deployment controller and kubelets: pods run immediately, unless their image cannot be pulled. */
export function createSimulatedDeployments(): ControllerSet {
  const name = 'simulateddeployment';
  const create = () =>
    createController({
      name,
      for: deployments,
      async reconcile(key, context) {
        const deployment = context.sources.sourceFor(deployments).get(key);
        if (deployment === undefined) return done();
        if (deployment.status?.observedGeneration === deployment.metadata.generation) return done();
        const patch = { status: statusOf(deployment, formatTime(context.clock.now())) };
        await context.change({
          verb: 'patch',
          resource: deployments,
          key,
          body: { type: 'merge', patch },
          subresource: 'status',
          reason: 'StatusUpdated',
          message: 'Updated status',
        });
        return done();
      },
    });
  return { name, controllers: [{ name, create }] };
}

function statusOf({ metadata, spec }: Frozen<Deployment>, time: string): JsonObject {
  const containers = spec?.template.spec?.containers ?? [];
  const runs = !containers.some(({ image }) => image?.includes(unavailableImage) === true);
  const replicas = spec?.replicas ?? 1;
  const running = runs ? replicas : 0;
  const available = runs
    ? { status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : {
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
  return {
    observedGeneration: metadata.generation ?? 0,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: running,
    availableReplicas: running,
    conditions: [{ type: 'Available', ...available, lastUpdateTime: time, lastTransitionTime: time }],
  };
}
