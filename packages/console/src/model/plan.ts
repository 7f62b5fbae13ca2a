export type Outcome = 'create' | 'replace' | 'update' | 'delete';

/** The data of `slipway plan`. */
export interface PlanView {
  readonly summary: Readonly<Record<Outcome, number>>;
  readonly machines: readonly {
    readonly outcome: Outcome;
    readonly namespace: string;
    readonly cluster: string;
    readonly group: { readonly kind: string; readonly name: string };
    readonly machine?: string;
    readonly version: string;
    readonly newVersion?: string;
    readonly why: string;
  }[];
  readonly steps: readonly {
    readonly verb: string;
    readonly afterSeconds: number;
    readonly machine: string;
    readonly isNew: boolean;
    readonly group: { readonly kind: string; readonly name: string };
    readonly reason: string;
  }[];
  readonly objects: readonly {
    readonly outcome: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  }[];
  readonly isSettled: boolean;
  readonly unsettled: readonly {
    readonly kind: string;
    readonly name: string;
    readonly reason: string;
    readonly message: string;
  }[];
  readonly simulatedSeconds: number;
}
