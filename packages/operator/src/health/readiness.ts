import type { Frozen } from '@slipway/kube';
import type { Deployment, NewCondition, Pod } from '@slipway/runtime';
import { conditionTypes, readyReasons } from '../api/index.js';

type Ready = NewCondition;

export interface ReadinessFacts {
  /** Whether the cluster has nodes and a deployment controller. False on an embedded plane. */
  readonly runsDeployments: boolean;
}

/** Returns whether all Deployments of a provider are ready. Otherwise reports the Deployment with the worst state. */
export function readinessOf(deployments: readonly Frozen<Deployment>[], facts: ReadinessFacts): Ready {
  if (deployments.length === 0)
    return ready('False', readyReasons.noDeployment, 'no Deployment of the provider exists');
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
    return ready(
      'Unknown',
      readyReasons.noCondition,
      `deployment ${name} has changed and has not reported its status yet`,
    );
  if (available === undefined)
    return unreported(name, { isObserved: observedGeneration !== undefined, runsDeployments });
  const { status: state, reason = '', message = '' } = available;
  const about = isOneOfSeveral && state !== 'True' ? `deployment ${name}: ${message}` : message;
  return ready(state as Ready['status'], reason === '' ? readyReasons.available : reason, about);
}

function unreported(name: string, facts: ReadinessFacts & { readonly isObserved: boolean }): Ready {
  if (facts.isObserved || facts.runsDeployments)
    return ready('False', readyReasons.noCondition, `deployment ${name} does not report whether it is available`);
  return ready(
    'False',
    readyReasons.noController,
    `deployment ${name} is stored but not running: this server has no nodes; install the provider into an existing Kubernetes cluster with \`slipway manager\`, or remove spec.fetchConfig if the provider is built in`,
  );
}

function ready(status: Ready['status'], reason: string, message: string): Ready {
  return { type: conditionTypes.ready, status, reason, message };
}

/** Returns why containers wait according to the kubelet, such as a missing image or Secret. */
export function podProblem(pods: readonly Frozen<Pod>[]): string | undefined {
  for (const { metadata, status } of pods) {
    const statuses = status?.containerStatuses ?? [];
    for (const { name, state } of statuses) {
      const { reason, message = '' } = state?.waiting ?? {};
      if (reason !== undefined && reason !== 'ContainerCreating' && reason !== 'PodInitializing')
        return `container ${name} of pod ${metadata.name ?? ''} is waiting: ${reason}${message === '' ? '' : `: ${message}`}`;
    }
  }
  return undefined;
}
