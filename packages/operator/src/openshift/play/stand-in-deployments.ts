import { formatTime } from '@slipway/kube';
import { type ControllerSet, createController, deployments, done, type Resource } from '@slipway/runtime';

/** An image with this in its name cannot be pulled. */
export const unavailableImage = 'unavailable';

/** Plays the controller of Deployments and the kubelets: what is asked for runs at once, unless its image is not there. */
export function createStandInDeployments(): ControllerSet {
  const name = 'standindeployment';
  return {
    name,
    controllers: [
      {
        name,
        create: () =>
          createController({
            name,
            for: deployments,
            async reconcile(key, { client, sources, clock, signal }) {
              const deployment = sources.sourceFor(deployments).get(key);
              const { metadata, spec, status } = deployment ?? {};
              if (metadata === undefined || status?.observedGeneration === metadata.generation) return done();
              const containers = spec?.template.spec?.containers ?? [];
              const runs = !containers.some(({ image }) => image?.includes(unavailableImage) === true);
              const replicas = spec?.replicas ?? 1;
              const time = formatTime(clock.now());
              const available = {
                type: 'Available',
                status: runs ? 'True' : 'False',
                reason: runs ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
                message: runs
                  ? 'Deployment has minimum availability.'
                  : 'Deployment does not have minimum availability.',
                lastUpdateTime: time,
                lastTransitionTime: time,
              };
              const patch = {
                status: {
                  observedGeneration: metadata.generation ?? 0,
                  replicas,
                  updatedReplicas: replicas,
                  readyReplicas: runs ? replicas : 0,
                  availableReplicas: runs ? replicas : 0,
                  conditions: [available],
                },
              };
              await client.patch(
                deployments as Resource,
                key,
                { type: 'merge', patch },
                { subresource: 'status', signal },
              );
              return done();
            },
          }),
      },
    ],
  };
}
