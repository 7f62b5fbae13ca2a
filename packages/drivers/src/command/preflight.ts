import type { Frozen } from '@slipway/kube';
import { type Reader, csiDrivers, daemonSets, ifPresent, type Node, nodes } from '@slipway/runtime';
import { cpiDaemonSet, csiDriverName, remedies, systemNamespace, uninitializedTaint } from '../api/index.js';
import { isMarked } from '../deploy/index.js';

/** Result of one read-only check whether a cluster is ready for the drivers. */
export interface PreflightCheck {
  readonly name: string;
  readonly problem?: string;
}

export async function preflight(read: Reader, signal: AbortSignal): Promise<PreflightCheck[]> {
  const { items } = await read.list(nodes, { signal });
  const driver = await ifPresent(read.get(csiDrivers, { namespace: '', name: csiDriverName }, { signal }));
  const provider = await ifPresent(
    read.get(daemonSets, { namespace: systemNamespace, name: cpiDaemonSet }, { signal }),
  );
  const isForeign = [driver, provider].some((object) => object !== undefined && !isMarked(object));
  return [
    checkOf(
      'the cluster has a control plane node',
      items.filter(isControlPlane).length === 0 ? ['no node has the control-plane role'] : [],
    ),
    checkOf(
      'kubelets use an external cloud provider',
      items.filter(isLeftAlone).map(nameOf),
      'KubeletWithoutCloudProvider',
    ),
    checkOf('no node belongs to another cloud provider', items.filter(isElsewhere).map(nameOf), 'ForeignProviderID'),
    checkOf('no other CSI driver is installed', isForeign ? [csiDriverName] : [], 'ForeignDriverPresent'),
  ];
}

function checkOf(name: string, failing: readonly string[], reason?: keyof typeof remedies): PreflightCheck {
  if (failing.length === 0) return { name };
  const remedy = reason === undefined ? 'label a node with node-role.kubernetes.io/control-plane' : remedies[reason];
  return { name, problem: `${failing.join(', ')}: ${remedy}` };
}

const nameOf = ({ metadata }: Frozen<Node>): string => metadata.name ?? '';
const isControlPlane = ({ metadata }: Frozen<Node>): boolean =>
  Object.hasOwn(metadata.labels ?? {}, 'node-role.kubernetes.io/control-plane');
/** Whether no cloud provider initializes the node: it has neither a provider ID nor the taint for uninitialized nodes. */
const isLeftAlone = ({ spec }: Frozen<Node>): boolean =>
  (spec?.providerID ?? '') === '' && spec?.taints?.some(({ key }) => key === uninitializedTaint) !== true;
const isElsewhere = ({ spec }: Frozen<Node>): boolean =>
  (spec?.providerID ?? '') !== '' && spec?.providerID?.startsWith('vsphere://') !== true;
