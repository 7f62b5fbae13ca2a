import {
  type BuiltinObject,
  clusterResource,
  type Condition,
  type LabelSelectorValue,
  namespacedResource,
  type ObjectReference,
} from './define.js';

export type Namespace = BuiltinObject<
  'v1',
  'Namespace',
  { spec?: { finalizers?: string[] }; status?: { phase?: string; conditions?: Condition[] } }
>;
export const namespaces = clusterResource<Namespace>('', 'v1', 'Namespace', 'namespaces');

export type Secret = BuiltinObject<
  'v1',
  'Secret',
  { type?: string; immutable?: boolean; data?: Record<string, string>; stringData?: Record<string, string> }
>;
export const secrets = namespacedResource<Secret>('', 'v1', 'Secret', 'secrets');

export type ConfigMap = BuiltinObject<
  'v1',
  'ConfigMap',
  { immutable?: boolean; data?: Record<string, string>; binaryData?: Record<string, string> }
>;
export const configMaps = namespacedResource<ConfigMap>('', 'v1', 'ConfigMap', 'configmaps');

export type ServicePort = {
  name?: string;
  protocol?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
};
export type Service = BuiltinObject<
  'v1',
  'Service',
  {
    spec?: {
      type?: string;
      selector?: Record<string, string>;
      ports?: ServicePort[];
      clusterIP?: string;
      clusterIPs?: string[];
      externalName?: string;
    };
    status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
  }
>;
export const services = namespacedResource<Service>('', 'v1', 'Service', 'services');

export type ServiceAccount = BuiltinObject<
  'v1',
  'ServiceAccount',
  { automountServiceAccountToken?: boolean; imagePullSecrets?: { name: string }[] }
>;
export const serviceAccounts = namespacedResource<ServiceAccount>('', 'v1', 'ServiceAccount', 'serviceaccounts');

/** The older of the two faces of events. */
export type CoreEvent = BuiltinObject<
  'v1',
  'Event',
  {
    involvedObject: ObjectReference;
    type?: string;
    reason?: string;
    message?: string;
    source?: { component?: string; host?: string };
    firstTimestamp?: string | null;
    lastTimestamp?: string | null;
    eventTime?: string | null;
    count?: number;
    action?: string;
    reportingComponent?: string;
    reportingInstance?: string;
  }
>;
export const coreEvents = namespacedResource<CoreEvent>('', 'v1', 'Event', 'events');

export type Taint = { key: string; value?: string; effect: string; timeAdded?: string };
export type Node = BuiltinObject<
  'v1',
  'Node',
  {
    spec?: { providerID?: string; podCIDR?: string; podCIDRs?: string[]; unschedulable?: boolean; taints?: Taint[] };
    status?: {
      capacity?: Record<string, string>;
      allocatable?: Record<string, string>;
      addresses?: { type: string; address: string }[];
      conditions?: (Condition & { lastHeartbeatTime?: string | null })[];
      nodeInfo?: NodeSystemInfo;
      volumesAttached?: { name: string; devicePath: string }[];
      volumesInUse?: string[];
    };
  }
>;
export type NodeSystemInfo = {
  machineID: string;
  systemUUID: string;
  bootID: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  kubeletVersion: string;
  kubeProxyVersion?: string;
  operatingSystem: string;
  architecture: string;
};
export const nodes = clusterResource<Node>('', 'v1', 'Node', 'nodes');

export type Container = {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: Record<string, unknown> }[];
  ports?: { name?: string; containerPort: number; protocol?: string; hostPort?: number }[];
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean; subPath?: string }[];
  [field: string]: unknown;
};
export type PodSpec = {
  containers: Container[];
  initContainers?: Container[];
  volumes?: { name: string; [source: string]: unknown }[];
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  hostNetwork?: boolean;
  priorityClassName?: string;
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  tolerations?: { key?: string; operator?: string; value?: string; effect?: string; tolerationSeconds?: number }[];
  [field: string]: unknown;
};
export type ContainerState = {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: { exitCode: number; reason?: string; message?: string; startedAt?: string; finishedAt?: string };
};
export type ContainerStatus = {
  name: string;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  state?: ContainerState;
  lastState?: ContainerState;
};
export type Pod = BuiltinObject<
  'v1',
  'Pod',
  {
    spec?: PodSpec;
    status?: {
      phase?: string;
      reason?: string;
      message?: string;
      podIP?: string;
      hostIP?: string;
      startTime?: string;
      conditions?: Condition[];
      containerStatuses?: ContainerStatus[];
    };
  }
>;
export const pods = namespacedResource<Pod>('', 'v1', 'Pod', 'pods');

export type PodTemplate = {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: PodSpec;
};

export type PersistentVolumeClaim = BuiltinObject<
  'v1',
  'PersistentVolumeClaim',
  {
    spec?: {
      accessModes?: string[];
      storageClassName?: string;
      volumeMode?: string;
      volumeName?: string;
      selector?: LabelSelectorValue;
      resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
    };
    status?: { phase?: string; capacity?: Record<string, string>; conditions?: Condition[] };
  }
>;
export const persistentVolumeClaims = namespacedResource<PersistentVolumeClaim>(
  '',
  'v1',
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
);

export type PersistentVolume = BuiltinObject<
  'v1',
  'PersistentVolume',
  {
    spec?: {
      capacity?: Record<string, string>;
      accessModes?: string[];
      storageClassName?: string;
      persistentVolumeReclaimPolicy?: string;
      claimRef?: ObjectReference;
      csi?: { driver: string; volumeHandle: string };
    };
    status?: { phase?: string };
  }
>;
export const persistentVolumes = clusterResource<PersistentVolume>('', 'v1', 'PersistentVolume', 'persistentvolumes');

export type Endpoints = BuiltinObject<
  'v1',
  'Endpoints',
  { subsets?: { addresses?: { ip: string }[]; ports?: { name?: string; port: number; protocol?: string }[] }[] }
>;
export const endpoints = namespacedResource<Endpoints>('', 'v1', 'Endpoints', 'endpoints');
