/** Releases of one provider, wherever they are kept. */
export interface ReleaseSource {
  /** Every version that there is, in no order; names that are no versions may be among them. */
  versions(): Promise<readonly string[]>;
  /** A file of a release; undefined when the release or the file is not there. */
  read(version: string, file: string): Promise<string | undefined>;
  /** For messages: where a file of a release is looked for. */
  describe(version: string, file: string): string;
}
