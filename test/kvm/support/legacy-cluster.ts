/** A minimal CRD of KVMConfig. */
export const legacyDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: kvmconfigs.provider.giantswarm.io
spec:
  group: provider.giantswarm.io
  scope: Namespaced
  names: {kind: KVMConfig, listKind: KVMConfigList, plural: kvmconfigs, singular: kvmconfig}
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-preserve-unknown-fields: true
`;

/** The objects of a kvm-operator cluster. */
export const legacyObjects = `
apiVersion: v1
kind: Namespace
metadata:
  name: al9qy
---
apiVersion: provider.giantswarm.io/v1alpha1
kind: KVMConfig
metadata:
  name: al9qy
  namespace: default
spec:
  cluster:
    id: al9qy
    calico: {subnet: 10.1.0.0, cidr: 16}
    kubernetes:
      api: {domain: api.al9qy.k8s.example.com, securePort: 443, clusterIPRange: 172.31.0.0/16}
    masters: [{id: m1}]
    workers: [{id: w1}]
  kvm:
    masters: [{cpus: 2, memory: 4G, disk: 20}]
    workers: [{cpus: 4, memory: 8GB, disk: 40}]
    k8sKVM: {storageType: hostPath}
`;
