/** Where things are in an OpenShift cluster. */
export const namespaces = {
  clusterApi: 'openshift-cluster-api',
  machineApi: 'openshift-machine-api',
  approver: 'openshift-cluster-machine-approver',
  credentials: 'openshift-cloud-credential-operator',
} as const;

export const operatorName = 'cluster-capi-operator';
/** Whom the operator runs as. */
export const openShiftAccount = { namespace: namespaces.clusterApi, name: operatorName } as const;
/** The ClusterOperator by which the cluster sees us. */
export const clusterOperatorKey = { namespace: '', name: 'cluster-api' } as const;
/** OpenShift's singletons bear this name. */
export const singletonKey = { namespace: '', name: 'cluster' } as const;
export const clusterVersionKey = { namespace: '', name: 'version' } as const;

export const infrastructureGroup = 'infrastructure.cluster.x-k8s.io';
/** On an InfraCluster that is ours to call ready. Any other value, even none, means that it is somebody else's. */
export const managedByUs = 'cluster-capi-operator-infracluster-controller';

export const userDataSecret = 'worker-user-data';
/** Kept current by the token controller of Kubernetes for the account that runs the controllers. */
export const tokenSecret = 'capi-controllers-token';
export const controllersAccount = 'capi-controllers';
