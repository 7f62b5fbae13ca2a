import { edit, ensureOwnerReference, ownerReference } from '@slipway/runtime';
import { labels } from '../api/index.js';
import type { DeploymentPass } from './deployment-pass.js';

/** A deployment belongs to its Cluster. */
export function ownDeployment(pass: DeploymentPass): void {
  const { cluster } = pass;
  pass.deployment = edit(pass.deployment, ({ metadata, spec }) => {
    metadata.labels = { ...metadata.labels, [labels.clusterName]: spec.clusterName };
    if (cluster !== undefined) ensureOwnerReference(metadata, ownerReference(cluster));
  });
}
