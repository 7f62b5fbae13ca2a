/** The releases of one provider. */
export interface ReleaseSource {
  /** All versions, unordered; may contain names that are not valid versions. */
  versions(): Promise<readonly string[]>;
  /** A file of a release; undefined if the release or the file does not exist. */
  read(version: string, file: string): Promise<string | undefined>;
  /** The location of a release file, for messages. */
  describe(version: string, file: string): string;
}
