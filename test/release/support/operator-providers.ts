const provider = (kind: string, name: string, namespace: string): string => `
apiVersion: v1
kind: Namespace
metadata: {name: ${namespace}}
---
apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: ${kind}
metadata: {name: ${name}, namespace: ${namespace}}
`;

/** Objects from which the provider operator installs the built-in providers. */
export const operatorProviders: string = [
  provider('CoreProvider', 'cluster-api', 'capi-system'),
  provider('BootstrapProvider', 'kubeadm', 'capi-kubeadm-bootstrap-system'),
  provider('ControlPlaneProvider', 'kubeadm', 'capi-kubeadm-control-plane-system'),
  provider('InfrastructureProvider', 'dev', 'capd-system'),
].join('---');
