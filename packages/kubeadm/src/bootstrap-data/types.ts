import type { Cluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { KubeadmConfig } from '../api/index.js';

export type KubeadmConfigSpecView = Frozen<NonNullable<KubeadmConfig['spec']>>;
export type ClusterConfiguration = NonNullable<KubeadmConfigSpecView['clusterConfiguration']>;
export type InitConfiguration = NonNullable<KubeadmConfigSpecView['initConfiguration']>;
export type JoinConfiguration = NonNullable<KubeadmConfigSpecView['joinConfiguration']>;
export type Discovery = NonNullable<JoinConfiguration['discovery']>;
export type NodeRegistration = NonNullable<JoinConfiguration['nodeRegistration']>;
export type SpecFile = NonNullable<KubeadmConfigSpecView['files']>[number];
export type SpecUser = NonNullable<KubeadmConfigSpecView['users']>[number];
export type DiskSetup = NonNullable<KubeadmConfigSpecView['diskSetup']>;
export type Ntp = NonNullable<KubeadmConfigSpecView['ntp']>;

/** The fields of the Cluster that bootstrap data uses. */
export type ClusterView = Frozen<Pick<Cluster, 'metadata' | 'spec'>>;

/** Whether a machine initializes a cluster, joins its control plane, or joins as a worker. */
export type BootstrapRole = 'init' | 'control-plane-join' | 'worker-join';

export type BootstrapFormat = 'cloud-config' | 'ignition';

/** A file to write on the machine. Binary content is given as bytes. */
export interface BootFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly owner?: string;
  readonly permissions?: string;
  /** The encoding that `content` already has. */
  readonly encoding?: string;
  readonly append?: boolean;
}

/** A user with the password that was read from its Secret. */
export type BootUser = Omit<SpecUser, 'passwdFrom'>;

/** The bootstrap steps of a machine, independent of the format. */
export interface MachineSetup {
  readonly role: BootstrapRole;
  /** The files to write: certificates first, then those of the user. */
  readonly files: readonly BootFile[];
  /** The documents that kubeadm reads, as YAML without separators. */
  readonly documents: readonly string[];
  readonly bootCommands: readonly string[];
  readonly preKubeadmCommands: readonly string[];
  readonly postKubeadmCommands: readonly string[];
  readonly users: readonly BootUser[];
  readonly mounts: readonly (readonly string[])[];
  readonly ntp?: Ntp;
  readonly diskSetup?: DiskSetup;
  readonly verbosity?: number;
}

export type BootstrapDataReason =
  | 'InvalidVersion'
  | 'UnsupportedVersion'
  | 'SecretNotFound'
  | 'SecretKeyNotFound'
  | 'InvalidTemplate'
  | 'InvalidEncoding'
  | 'InvalidIgnitionConfig'
  | 'ControlPlaneOnWorker'
  | 'CertificateMissing'
  | 'Unsupported';

/** Reports invalid input for bootstrap data. The message never quotes the content of a file or a Secret. */
export class BootstrapDataError extends Error {
  readonly reason: BootstrapDataReason;

  constructor(reason: BootstrapDataReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BootstrapDataError';
    this.reason = reason;
  }
}
