import type { Ref, Tone } from './cluster.js';

export interface KindView {
  readonly kind: string;
  readonly group: string;
  readonly columns: readonly string[];
  /** By `namespace/name`; the first ones where there are many. */
  readonly rows: Readonly<
    Record<
      string,
      {
        readonly ref: Ref;
        readonly tone: Tone;
        /** Of what is not well: what it says itself. */
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
  /** What vCenter is at work on for us, by machine. */
  readonly tasks: readonly { readonly machine: string; readonly task: string }[];
  readonly troubled: number;
  /** Those of the management plane; absent where this console cannot know them. */
  readonly sessions?: readonly { readonly username: string; readonly isLoggedIn: boolean; readonly usedAt: number }[];
}

/** A host that runs virtual machines. */
export interface KvmHostView {
  readonly host: string;
  readonly machines: number;
  readonly running: number;
  readonly troubled: number;
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly qemu: readonly string[];
}

/** One driver of one cluster. */
export interface DriverView {
  readonly ref: Ref;
  readonly driver: 'CPI' | 'CSI';
  readonly tone: Tone;
  readonly health: string;
  /** '' while none runs. */
  readonly installed: string;
  /** From the version that runs to the newest that fits, step by step. */
  readonly path: readonly string[];
  readonly message: string;
}

/** What one installed provider could be upgraded to, as far as that is known. */
export interface ProviderOutlook {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  /** The version that is installed. Once it is another one, all of this is not true any more. */
  readonly version: string;
  /** The newest that fits; '' while none that is newer is known. */
  readonly next: string;
  /** How to go there. */
  readonly how: string;
  /** Why the value is unknown; '' if it is known. */
  readonly unknown: string;
  /** Its repository is elsewhere, and was not asked. */
  readonly isUnasked: boolean;
}

export interface ProviderView {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  readonly tone: Tone;
  readonly why: string;
  /** '' while none is. */
  readonly installed: string;
  /** What its object asks for, where that is another version. */
  readonly wanted: string;
  /** Absent if nothing is reported for the installed version. */
  readonly outlook?: ProviderOutlook;
}

/** The outlook on one provider, if it was given for the version that it has now. */
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
  /** By type, namespace and name. */
  readonly providers: Readonly<Record<string, ProviderView>>;
  readonly vcenters: Readonly<Record<string, VCenterView>>;
  readonly kvmHosts: Readonly<Record<string, KvmHostView>>;
  readonly drivers: Readonly<Record<string, DriverView>>;
  /** Kinds that cannot be listed, by definition, and what the server says of it. */
  readonly unreadable: Readonly<Record<string, { readonly kind: string; readonly why: string }>>;
  /** By section and definition; those of providers have a table of their own. */
  readonly sections: Readonly<Partial<Record<SectionName, Readonly<Record<string, KindView>>>>>;
}
