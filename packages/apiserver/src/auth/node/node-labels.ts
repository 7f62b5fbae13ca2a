/** Labels of Kubernetes that a kubelet may set on its Node. */
const kubeletLabels = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
const kubeletNamespaces = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const kubernetesNamespaces = ['kubernetes.io', 'k8s.io'];

type Labels = Readonly<Record<string, string>>;

/** Returns the changed labels that a kubelet must not set, because they select on which nodes workloads run. */
export function forbiddenLabels(after: Labels, before: Labels): string[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .filter((label) => after[label] !== before[label] && isForbidden(label))
    .toSorted();
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf('/');
  const namespace = slash < 0 ? '' : label.slice(0, slash);
  if (isWithin(namespace, ['node-restriction.kubernetes.io'])) return true;
  return (
    isWithin(namespace, kubernetesNamespaces) && !kubeletLabels.has(label) && !isWithin(namespace, kubeletNamespaces)
  );
}

function isWithin(namespace: string, domains: readonly string[]): boolean {
  return domains.some((domain) => namespace === domain || namespace.endsWith(`.${domain}`));
}
