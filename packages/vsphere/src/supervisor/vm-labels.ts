import { vmLabels, vmRoles } from './names.js';

/** Returns the label selector of a control plane's virtual machines. */
export function controlPlaneVmLabels(clusterName: string): Record<string, string> {
  return vmLabelsOf(clusterName, vmRoles.controlPlane);
}

export function vmLabelsOf(clusterName: string, role: string): Record<string, string> {
  return Object.fromEntries([
    ...vmLabels.clusterName.map((label) => [label, clusterName]),
    ...vmLabels.clusterRole.map((label) => [label, role]),
  ]) as Record<string, string>;
}
