import type { Ref, Tone } from './cluster.js';

export interface KindView {
  readonly kind: string;
  readonly group: string;
  readonly columns: readonly string[];
  /** By `namespace/name`; the first ones where there are many. */
  readonly rows: Readonly<
    Record<string, { readonly ref: Ref; readonly tone: Tone; readonly cells: readonly string[] }>
  >;
  readonly count: number;
}

export interface VCenterView {
  readonly server: string;
  readonly clusters: number;
  readonly machines: number;
  /** What vCenter is at work on for us, by machine. */
  readonly tasks: readonly { readonly machine: string; readonly task: string }[];
  readonly troubled: number;
}

export type SectionName = 'providers' | 'drivers' | 'machines' | 'clusters' | 'other';

export interface InfrastructureView {
  readonly vcenters: Readonly<Record<string, VCenterView>>;
  /** By section and definition. */
  readonly sections: Readonly<Partial<Record<SectionName, Readonly<Record<string, KindView>>>>>;
}
