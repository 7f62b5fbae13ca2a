/** The releases of one provider. */
export interface ReleaseSource {
  /** Returns all versions, unordered. May contain names that are not valid versions. */
  versions(): Promise<readonly string[]>;
  /** Returns a file of a release. Undefined if the release or the file does not exist. */
  read(version: string, file: string): Promise<string | undefined>;
  /** Returns the location of a release file, for messages. */
  describe(version: string, file: string): string;
}
