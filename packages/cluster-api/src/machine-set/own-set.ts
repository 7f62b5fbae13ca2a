import { edit, ensureOwnerReference, ownerReference } from '@slipway/runtime';
import { labels } from '../api/index.js';
import type { MachineSetPass } from './machine-set-pass.js';

/** A set that stands alone belongs to the Cluster; one of a deployment belongs to that, also before it has been adopted. */
export function ownSet(pass: MachineSetPass): void {
  const { cluster } = pass;
  pass.set = edit(pass.set, ({ metadata, spec }) => {
    metadata.labels = { ...metadata.labels, [labels.clusterName]: spec.clusterName };
    if (cluster === undefined || labels.deploymentName in metadata.labels) return;
    const isOwned = (metadata.ownerReferences ?? []).some(({ kind }) => kind === 'MachineDeployment');
    if (!isOwned) ensureOwnerReference(metadata, ownerReference(cluster));
  });
}
