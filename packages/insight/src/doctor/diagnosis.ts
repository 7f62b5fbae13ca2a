import type { ObjectRef } from '../objects/index.js';

export type Severity = 'error' | 'warning' | 'info';

/** The areas that are checked, in the order of the report. */
export const areas = [
  'versions',
  'credentials',
  'storage',
  'providers',
  'webhooks',
  'infrastructure',
  'certificates',
  'etcd',
  'clusters',
  'orphans',
  'deletions',
  'air gap',
] as const;
export type Area = (typeof areas)[number];

export interface Diagnosis {
  readonly area: Area;
  readonly severity: Severity;
  readonly what: string;
  /** Absent for problems of the whole management cluster. */
  readonly where?: ObjectRef;
  readonly remedy: string;
}

export interface Report {
  readonly diagnoses: readonly Diagnosis[];
  /** Areas without problems. */
  readonly well: readonly Area[];
}
