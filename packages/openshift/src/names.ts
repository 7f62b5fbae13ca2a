/** Namespaces in an OpenShift cluster. */
export const namespaces = {
  clusterApi: 'openshift-cluster-api',
  machineApi: 'openshift-machine-api',
  approver: 'openshift-cluster-machine-approver',
  credentials: 'openshift-cloud-credential-operator',
} as const;

export const operatorName = 'cluster-capi-operator';
/** Service account of the operator. */
export const openShiftAccount = { namespace: namespaces.clusterApi, name: operatorName } as const;
/** ClusterOperator of this operator. */
export const clusterOperatorKey = { namespace: '', name: 'cluster-api' } as const;
/** Key of OpenShift singletons, which are named `cluster`. */
export const singletonKey = { namespace: '', name: 'cluster' } as const;
export const clusterVersionKey = { namespace: '', name: 'version' } as const;

export const infrastructureGroup = 'infrastructure.cluster.x-k8s.io';
/** managed-by annotation of an InfraCluster that this operator sets ready. With any other value it is externally managed. */
export const managedByUs = 'cluster-capi-operator-infracluster-controller';

export const userDataSecret = 'worker-user-data';
/** Service account token Secret of the controllers, which the Kubernetes token controller fills. */
export const tokenSecret = 'capi-controllers-token';
export const controllersAccount = 'capi-controllers';
