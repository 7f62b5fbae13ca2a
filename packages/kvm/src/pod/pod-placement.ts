import { labels as clusterLabels } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { PodSpec } from '@slipway/runtime';
import type { KVMCluster } from '../api/index.js';
import type { VmDocument } from './vm-document.js';

const hostTopology = 'kubernetes.io/hostname';

/** Where the pod may run: control plane machines never beside each other, workers only if there is no other place. */
export function placementOf(
  document: VmDocument,
  failureDomains: NonNullable<Frozen<KVMCluster>['spec']>['failureDomains'],
): Pick<PodSpec, 'affinity' | 'nodeSelector' | 'tolerations' | 'nodeName'> {
  const { spec, failureDomain } = document;
  const domain = failureDomains?.find(({ name }) => name === failureDomain);
  const nodeSelector = {
    ...domain?.nodeSelector,
    ...spec.nodeSelector,
    ...(spec.hostName !== undefined && { [hostTopology]: spec.hostName }),
  };
  return {
    affinity: { podAntiAffinity: antiAffinityOf(document), ...nodeAffinityOf(domain?.hosts) },
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(spec.tolerations && { tolerations: spec.tolerations.map((toleration) => ({ ...toleration })) }),
  };
}

function antiAffinityOf({ clusterName, isControlPlane }: VmDocument): object {
  const matchLabels = { [clusterLabels.clusterName]: clusterName };
  if (isControlPlane) {
    const labelSelector = { matchLabels: { ...matchLabels, [clusterLabels.controlPlane]: '' } };
    return { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: hostTopology }] };
  }
  const podAffinityTerm = { labelSelector: { matchLabels }, topologyKey: hostTopology };
  return { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] };
}

/** A failure domain may be a list of hosts. */
function nodeAffinityOf(hosts: readonly string[] | undefined): object {
  if (hosts === undefined || hosts.length === 0) return {};
  const matchExpressions = [{ key: hostTopology, operator: 'In', values: [...hosts] }];
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
  };
}
