import { hasAnnotation } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { isReason } from '@slipway/kube';
import { type Client, type DaemonSet, daemonSets, edit, patchObject } from '@slipway/runtime';
import { controlPlaneAnnotations } from '../api/index.js';
import { withVersion } from './container-image.js';
import { systemNamespace } from './static-pods.js';
import type { CallOptions, ObservedControlPlane } from './workload-cluster.js';

const name = 'kube-proxy';

/** Brings kube-proxy to the version of the control plane. A cluster that has none does without. */
export async function updateKubeProxy(
  client: Client,
  controlPlane: ObservedControlPlane,
  { signal }: CallOptions,
): Promise<void> {
  if (hasAnnotation(controlPlane, controlPlaneAnnotations.skipKubeProxy)) return;
  let current: Frozen<DaemonSet>;
  try {
    current = await client.get(daemonSets, { namespace: systemNamespace, name }, { signal });
  } catch (error) {
    if (isReason(error, 'NotFound')) return;
    throw error;
  }
  const { version, kubeadmConfigSpec } = controlPlane.spec;
  const wanted = withProxyImage(current, version, kubeadmConfigSpec?.clusterConfiguration?.imageRepository ?? '');
  if (wanted !== current) await patchObject(client, daemonSets, current, wanted, { signal });
}

/** The DaemonSet with the image of a version; itself when it has it already, or has no such container. */
export function withProxyImage(daemonSet: Frozen<DaemonSet>, version: string, repository: string): Frozen<DaemonSet> {
  return edit(daemonSet, (draft) => {
    for (const container of draft.spec?.template.spec?.containers ?? []) {
      if (container.name === name) container.image = withVersion(container.image ?? '', version, repository);
    }
  });
}
