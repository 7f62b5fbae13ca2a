import type { Frozen } from '@slipway/kube';
import type { Deployment, NewCondition, Pod } from '@slipway/runtime';
import { conditionTypes, readyReasons } from '../api/index.js';

type Ready = NewCondition;

export interface ReadinessFacts {
  /** Nodes and a Deployment controller belong to the cluster, as they do everywhere but on an embedded plane. */
  readonly runsDeployments: boolean;
}

/** Whether a provider runs: exactly when all of its Deployments do. The worst one is told. */
export function readinessOf(deployments: readonly Frozen<Deployment>[], facts: ReadinessFacts): Ready {
  if (deployments.length === 0)
    return ready('False', readyReasons.noDeployment, 'no Deployment of the provider is there');
  const all = [...deployments]
    .sort((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1))
    .map((deployment) => stateOf(deployment, { isOneOfSeveral: deployments.length > 1, ...facts }));
  return (
    all.find(({ status }) => status === 'False') ?? all.find(({ status }) => status !== 'True') ?? (all[0] as Ready)
  );
}

function stateOf(
  { metadata, status }: Frozen<Deployment>,
  { isOneOfSeveral, runsDeployments }: ReadinessFacts & { readonly isOneOfSeveral: boolean },
): Ready {
  const name = metadata.name ?? '';
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  const { observedGeneration } = status ?? {};
  if (observedGeneration !== undefined && observedGeneration < (metadata.generation ?? 0))
    return ready('Unknown', readyReasons.noCondition, `deployment ${name} has changed, and nothing is known of it yet`);
  if (available === undefined) return unheard(name, { isLookedAt: observedGeneration !== undefined, runsDeployments });
  const { status: state, reason = '', message = '' } = available;
  const about = isOneOfSeveral && state !== 'True' ? `deployment ${name}: ${message}` : message;
  return ready(state as Ready['status'], reason === '' ? readyReasons.available : reason, about);
}

function unheard(name: string, facts: ReadinessFacts & { readonly isLookedAt: boolean }): Ready {
  if (facts.isLookedAt || facts.runsDeployments)
    return ready('False', readyReasons.noCondition, `deployment ${name} does not say whether it is available`);
  return ready(
    'False',
    readyReasons.noController,
    `deployment ${name} is stored, and nobody runs it: this server has no nodes; install the provider on a Kubernetes by \`slipway manager\`, or take the fetchConfig away if the provider is built in`,
  );
}

function ready(status: Ready['status'], reason: string, message: string): Ready {
  return { type: conditionTypes.ready, status, reason, message };
}

/** Why pods do not start, in the words of their nodes: an image that is not there, a Secret that is missing. */
export function podProblem(pods: readonly Frozen<Pod>[]): string | undefined {
  for (const { metadata, status } of pods) {
    const statuses = status?.containerStatuses ?? [];
    for (const { name, state } of statuses) {
      const { reason, message = '' } = state?.waiting ?? {};
      if (reason !== undefined && reason !== 'ContainerCreating' && reason !== 'PodInitializing')
        return `container ${name} of pod ${metadata.name ?? ''} waits: ${reason}${message === '' ? '' : `: ${message}`}`;
    }
  }
  return undefined;
}
