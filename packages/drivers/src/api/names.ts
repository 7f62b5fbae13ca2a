export const group = 'vdo.vmware.com';
export const operatorNamespace = 'vmware-system-vdo';
export const operatorName = 'vdo-controller-manager';
export const leaderElectionId = '540e4412.vmware.com';
export const fieldManager = 'vdo';
export const finalizer = 'vdo.vmware.com/drivers';

/** Namespace of the cloud provider, and of storage drivers before 2.3.0. */
export const systemNamespace = 'kube-system';
export const csiNamespace = 'vmware-system-csi';
export const csiDriverName = 'csi.vsphere.vmware.com';

export const matrixConfigMap = 'compat-matrix-config';
export const matrixCacheConfigMap = 'compat-matrix-cache';
/** Label of the ConfigMaps with the templates of a bundle. Each template has its own ConfigMap because of the limit of 1 MiB. */
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
  /** Annotation that removes the drivers together with their VDOConfig if the value is `Delete`. */
  deletionPolicy: 'vdo.vmware.com/deletion-policy',
  /** Annotation that, when its value changes, applies both drivers again and retries a connection after rejected logins. */
  retry: 'vdo.vmware.com/retry',
  /** Annotation that rolls back one driver to its previous version: `cpi` or `csi`. */
  rollback: 'vdo.vmware.com/rollback',
  /**
   * Annotation of a VDOConfig that names the Cluster whose management cluster reconciles it. Operators inside the cluster then
   * ignore the VDOConfig.
   */
  hostedBy: 'vdo.vmware.com/hosted-by',
} as const;

/** Annotations by which a Cluster requests drivers in its workload cluster. */
export const clusterAnnotations = {
  /** Drivers to install: `cpi,csi`, or `csi` if the cluster has another cloud provider. */
  drivers: 'vdo.vmware.com/drivers',
  /** Name of a Secret in the namespace of the Cluster, with a least-privilege vCenter account for the drivers. */
  credentials: 'vdo.vmware.com/credentials',
  cpiCredentials: 'vdo.vmware.com/cpi-credentials',
  csiCredentials: 'vdo.vmware.com/csi-credentials',
  /** Comma-separated datacenters. Defaults to the datacenters of the machines. */
  datacenters: 'vdo.vmware.com/datacenters',
} as const;
/** Condition of the Cluster that reports the state of its drivers. */
export const clusterCondition = 'VSphereDriversReady';
/** Name of the VDOConfig in workload clusters that the management cluster reconciles. */
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
