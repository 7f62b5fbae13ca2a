import type { WhyView } from './why.js';

export interface VersionView {
  readonly resourceVersion: string;
  readonly at: number;
  /** Who wrote it, where that is known. */
  readonly manager: string;
  readonly yaml: string;
}

/** One object, whatever its kind. */
export interface ObjectView {
  readonly yaml: string;
  /** Folded away: half of an object, and read by few. */
  readonly managedFields: string;
  /** Those that are still known, the newest last, by resource version. */
  readonly versions: Readonly<Record<string, VersionView>>;
  readonly why?: WhyView;
}
