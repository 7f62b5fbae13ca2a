import type { Ref, Tone } from './cluster.js';

export interface KindView {
  readonly kind: string;
  readonly group: string;
  readonly columns: readonly string[];
  /** Rows by `namespace/name`. Of a long list only the first rows are included. */
  readonly rows: Readonly<
    Record<
      string,
      {
        readonly ref: Ref;
        readonly tone: Tone;
        /** The condition message of an unhealthy object; '' otherwise. */
        readonly why: string;
        readonly cells: readonly string[];
      }
    >
  >;
  readonly count: number;
}

export interface VCenterView {
  readonly server: string;
  /** The vSphere version; '' if unknown. */
  readonly version: string;
  readonly clusters: number;
  readonly machines: number;
  /** The running vCenter tasks of machines. */
  readonly tasks: readonly { readonly machine: string; readonly task: string }[];
  readonly unhealthy: number;
  /** The vCenter sessions of the management plane. Absent if the management plane runs in another process. */
  readonly sessions?: readonly { readonly username: string; readonly isLoggedIn: boolean; readonly usedAt: number }[];
}

/** A host of virtual machines. */
export interface KvmHostView {
  readonly host: string;
  readonly machines: number;
  readonly running: number;
  readonly unhealthy: number;
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly qemu: readonly string[];
}

/** A driver of a cluster. */
export interface DriverView {
  readonly ref: Ref;
  readonly driver: 'CPI' | 'CSI';
  readonly tone: Tone;
  readonly health: string;
  /** The installed version; '' if the driver is not installed. */
  readonly installed: string;
  /** The versions of the upgrade path, from the running version to the newest compatible one. */
  readonly path: readonly string[];
  readonly message: string;
}

/** The available upgrade of an installed provider. */
export interface ProviderOutlook {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  /** The installed version to which this data applies. If another version is installed, the data is outdated. */
  readonly version: string;
  /** The newest compatible version; '' if no newer version is known. */
  readonly next: string;
  /** How to upgrade the provider. */
  readonly how: string;
  /** Why the available upgrade is unknown; '' if it is known. */
  readonly unknown: string;
  /** Whether the repository is remote and was not read. */
  readonly isUnasked: boolean;
}

export interface ProviderView {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  readonly tone: Tone;
  readonly why: string;
  /** The installed version; '' if the provider is not installed. */
  readonly installed: string;
  /** The version in the spec of the provider's operator object, if it differs from the installed version; '' otherwise. */
  readonly wanted: string;
  /** The available upgrade. Absent if none was read for the installed version. */
  readonly outlook?: ProviderOutlook;
}

/** Returns the available upgrade of a provider if it was read for the installed version. */
export function outlookFor(
  { type, namespace, name, installed }: Omit<ProviderView, 'outlook'>,
  outlooks: readonly ProviderOutlook[],
): ProviderOutlook | undefined {
  return outlooks.find(
    (each) => each.type === type && each.namespace === namespace && each.name === name && each.version === installed,
  );
}

export type SectionName = 'providers' | 'drivers' | 'machines' | 'clusters' | 'other';

export interface InfrastructureView {
  /** Providers by type, namespace and name. */
  readonly providers: Readonly<Record<string, ProviderView>>;
  readonly vcenters: Readonly<Record<string, VCenterView>>;
  readonly kvmHosts: Readonly<Record<string, KvmHostView>>;
  readonly drivers: Readonly<Record<string, DriverView>>;
  /** Kinds that cannot be listed, by CRD name, with the error of the server. */
  readonly unreadable: Readonly<Record<string, { readonly kind: string; readonly why: string }>>;
  /** Objects by section and CRD name. Providers are shown in a separate table. */
  readonly sections: Readonly<Partial<Record<SectionName, Readonly<Record<string, KindView>>>>>;
}
