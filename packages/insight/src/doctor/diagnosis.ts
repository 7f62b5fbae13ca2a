import type { ObjectRef } from '../objects/index.js';

export type Severity = 'error' | 'warning' | 'info';

/** The areas that are looked at, in the order in which they are told. */
export const areas = [
  'versions',
  'credentials',
  'providers',
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
  /** Absent where it is about the server as a whole. */
  readonly where?: ObjectRef;
  readonly remedy: string;
}

export interface Report {
  readonly diagnoses: readonly Diagnosis[];
  /** What was looked at and found in order. */
  readonly well: readonly Area[];
}
