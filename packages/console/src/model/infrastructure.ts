import type { Ref, Tone } from './cluster.js';

export interface KindView {
  readonly kind: string;
  readonly group: string;
  readonly columns: readonly string[];
  /** Keys are `namespace/name`. Limited to the first rows of a long list. */
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
  /** The sessions of the management plane. Absent if it runs in another process. */
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
  /** '' if not installed. */
  readonly installed: string;
  /** The versions from the running one to the newest compatible one. */
  readonly path: readonly string[];
  readonly message: string;
}

/** The available upgrade of an installed provider. */
export interface ProviderOutlook {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  /** The installed version for which the upgrade was read. For another version this data is outdated. */
  readonly version: string;
  /** The newest compatible version; '' if no newer version is known. */
  readonly next: string;
  /** How to upgrade. */
  readonly how: string;
  /** Why the value is unknown; '' if it is known. */
  readonly unknown: string;
  /** The repository is remote and was not read. */
  readonly isUnasked: boolean;
}

export interface ProviderView {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  readonly tone: Tone;
  readonly why: string;
  /** '' if not installed. */
  readonly installed: string;
  /** The version in the spec of its operator object, if it differs from the installed one. */
  readonly wanted: string;
  /** Absent if nothing is reported for the installed version. */
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
  /** Keys are type, namespace and name. */
  readonly providers: Readonly<Record<string, ProviderView>>;
  readonly vcenters: Readonly<Record<string, VCenterView>>;
  readonly kvmHosts: Readonly<Record<string, KvmHostView>>;
  readonly drivers: Readonly<Record<string, DriverView>>;
  /** Kinds that cannot be listed, by CRD name, with the error of the server. */
  readonly unreadable: Readonly<Record<string, { readonly kind: string; readonly why: string }>>;
  /** By section and CRD name. Providers are shown in a separate table. */
  readonly sections: Readonly<Partial<Record<SectionName, Readonly<Record<string, KindView>>>>>;
}
