import type { Frozen } from '@slipway/kube';
import { type Client, type Deployment, deployments, ifPresent } from '@slipway/runtime';

/** Simulates kubelets and the deployment controller: Deployments are available immediately, unless their image cannot be pulled. */
export function simulatedForDeployments(client: Client): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = run(client, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    async stop() {
      stopping.abort(new Error('the test is over'));
      await running;
    },
  };
}

/** Image that can never be pulled. */
export const brokenImage = 'registry.k8s.io/stock/broken:v0';

async function run(client: Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    for await (const events of client.watch(deployments, { sendInitialEvents: true, signal }))
      for (const event of events)
        if ((event.type === 'ADDED' || event.type === 'MODIFIED') && isNews(event.object))
          await settle(client, event.object);
}

function isNews({ metadata, status }: Frozen<Deployment>): boolean {
  return status?.observedGeneration !== metadata.generation && metadata.annotations?.['test/stuck'] === undefined;
}

async function settle(client: Client, { metadata, spec }: Frozen<Deployment>): Promise<void> {
  const isBroken = spec?.template.spec?.containers.some(({ image }) => image === brokenImage) === true;
  const time = '2026-01-01T00:00:00Z';
  const available = isBroken
    ? {
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      }
    : { status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' };
  const replicas = spec?.replicas ?? 1;
  const status = {
    observedGeneration: metadata.generation ?? 0,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: isBroken ? 0 : replicas,
    availableReplicas: isBroken ? 0 : replicas,
    unavailableReplicas: isBroken ? replicas : 0,
    conditions: [{ type: 'Available', ...available, lastUpdateTime: time, lastTransitionTime: time }],
  };
  const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  await ifPresent(client.patch(deployments, key, { type: 'merge', patch: { status } }, { subresource: 'status' }));
}
