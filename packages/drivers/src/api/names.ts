export const group = 'vdo.vmware.com';
export const operatorNamespace = 'vmware-system-vdo';
export const operatorName = 'vdo-controller-manager';
export const leaderElectionId = '540e4412.vmware.com';
export const fieldManager = 'vdo';
export const finalizer = 'vdo.vmware.com/drivers';

/** The one namespace of the cloud provider, and of storage drivers older than 2.3.0. */
export const systemNamespace = 'kube-system';
export const csiNamespace = 'vmware-system-csi';
export const csiDriverName = 'csi.vsphere.vmware.com';

export const matrixConfigMap = 'compat-matrix-config';
export const matrixCacheConfigMap = 'compat-matrix-cache';
/** Templates of a bundle, each in a ConfigMap of its own: one may hold no more than 1 MiB. */
export const bundleLabel = 'vdo.vmware.com/bundle';
export const compatibilityConfigName = matrixConfigMap;

export const labels = {
  managedBy: 'app.kubernetes.io/managed-by',
  operator: 'vdo.vmware.com/managed-by',
  driver: 'vdo.vmware.com/driver',
  driverVersion: 'vdo.vmware.com/driver-version',
  node: 'vdo.vmware.com/vdoconfig',
} as const;

export const annotations = {
  appliedHash: 'vdo.vmware.com/applied-hash',
  configHash: 'vdo.vmware.com/config-hash',
  allowIncompatible: 'vdo.vmware.com/allow-incompatible',
  /** `Delete` removes the drivers together with their VDOConfig. */
  deletionPolicy: 'vdo.vmware.com/deletion-policy',
  /** Any new value redeploys both drivers, and tries a connection again that was given up. */
  retry: 'vdo.vmware.com/retry',
  /** Goes back to the version before, for one driver: `cpi` or `csi`. */
  rollback: 'vdo.vmware.com/rollback',
  /** On a VDOConfig: the Cluster whose management plane looks after it, so that no operator of the cluster's own does. */
  hostedBy: 'vdo.vmware.com/hosted-by',
} as const;

/** By these a Cluster of Slipway asks for drivers in its workload cluster. */
export const clusterAnnotations = {
  /** `cpi,csi`, or `csi` where another cloud provider is there already. */
  drivers: 'vdo.vmware.com/drivers',
  /** A Secret beside the Cluster, with an account of vCenter that may do no more than the drivers need. */
  credentials: 'vdo.vmware.com/credentials',
  cpiCredentials: 'vdo.vmware.com/cpi-credentials',
  csiCredentials: 'vdo.vmware.com/csi-credentials',
  /** Separated by commas; else those of the machines. */
  datacenters: 'vdo.vmware.com/datacenters',
} as const;
/** How the drivers of a Cluster are, on the Cluster. */
export const clusterCondition = 'VSphereDriversReady';
/** The one VDOConfig of a workload cluster that is looked after from its management plane. */
export const hostedVdoConfig = 'vdo';

export const uninitializedTaint = 'node.cloudprovider.kubernetes.io/uninitialized';
export const providerIdPrefix = 'vsphere://';
export const cpiDaemonSet = 'vsphere-cloud-controller-manager';
export const csiDeployment = 'vsphere-csi-controller';
export const csiNodeDaemonSet = 'vsphere-csi-node';
export const csiSecretName = 'vsphere-config-secret';
export const clusterIdConfigMap = 'vsphere-csi-cluster-id';

export type DriverName = 'cpi' | 'csi';
export const driverNames: readonly DriverName[] = ['cpi', 'csi'];
export const inventoryName = (driver: DriverName): string => `vdo-inventory-${driver}`;
