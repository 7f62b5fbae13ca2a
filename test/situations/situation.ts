import type { CauseName, WaitState } from '../../packages/insight/src/why/index.js';

/** The infrastructure providers of the catalogue. */
export type Provider = 'dev' | 'host' | 'kvm' | 'vcenter' | 'supervisor';

/** The state of the cluster before something breaks. */
export type Stage = 'new' | 'starting' | 'available' | 'deleting';

/** A change of one object. `on` is a kind, or `Kind/part` for one of several: `Machine/control-plane`, `Machine/worker`. */
export interface Break {
  readonly on: string;
  /** `Type=Status Reason: message`. */
  readonly conditions?: readonly string[];
  /** Conditions in the deprecated style: `Type=Status Severity Reason: message`. */
  readonly deprecated?: readonly string[];
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  /** Minutes since the deletion of the object was requested. */
  readonly deletingForMinutes?: number;
  readonly removed?: true;
}

/** A warning Event. */
export interface Warning {
  readonly on: string;
  readonly reason: string;
  readonly message: string;
  readonly count?: number;
}

/** A state of the management cluster and the expected explanation. Data only: states.ts creates the objects. */
export interface Situation {
  readonly name: string;
  readonly provider?: Provider;
  readonly stage: Stage;
  readonly broken: readonly Break[];
  /** Additional objects. `$name` and `$namespace` are replaced by those of the cluster. */
  readonly objects?: readonly Readonly<Record<string, unknown>>[];
  readonly warnings?: readonly Warning[];
  /** The object to explain, if it is not the Cluster. */
  readonly subject?: string;
  readonly expect: {
    readonly cause: CauseName;
    readonly state: WaitState;
    /** The object at fault, in the form of `Break.on`. */
    readonly object: string;
    readonly exitCode: 0 | 1 | 6;
    /** The first command, with `$name` and `$namespace`. */
    readonly next: string;
  };
}
