import type { WhyView } from './why.js';

export interface VersionView {
  readonly resourceVersion: string;
  readonly at: number;
  /** The field manager of the change; '' if unknown. */
  readonly manager: string;
  readonly yaml: string;
}

/** The data of the page of one object of any kind. */
export interface ObjectView {
  readonly yaml: string;
  /** The managedFields as text. They are shown collapsed, because they are often half of the object. */
  readonly managedFields: string;
  /** The versions that are still available, by resourceVersion, newest last. */
  readonly versions: Readonly<Record<string, VersionView>>;
  readonly why?: WhyView;
}
