/** Incremented when the on-disk layout changes incompatibly. Since 2, every value has a checksum. */
export const formatVersion = 2;
export const checksumFormat = 2;

/** Storage format of a data file, and the version of the program that wrote it. */
export interface DataVersion {
  readonly format: number;
  /** Undefined in data of builds that did not record their version. */
  readonly writer: string | undefined;
}

export interface VersionOptions {
  /** Version of the program, which is recorded in the data file. If undefined, the recorded version is kept. */
  readonly writer?: string;
  /**
   * Called before anything is changed if another version wrote the data or the data has an older format. This process holds the
   * lock of the directory. If it rejects, the data stays unchanged.
   */
  readonly beforeChange?: (found: DataVersion) => Promise<void>;
}

/** The data was written in a storage format that this version cannot read. It is not changed. */
export class UnsupportedFormat extends Error {
  readonly formatMax = formatVersion;

  constructor(
    readonly directory: string,
    readonly found: DataVersion,
  ) {
    const writer = found.writer === undefined ? '' : ` by version ${found.writer}`;
    super(
      `the data in ${directory} was written${writer} in storage format ${found.format}, ` +
        `but this version reads formats up to ${formatVersion}`,
    );
    this.name = 'UnsupportedFormat';
  }
}

const formatKey = Buffer.from('format');
const writerKey = Buffer.from('writer');

interface MetadataReader<Options> {
  get(key: Buffer, options?: Options): Buffer | undefined;
}

/** Reads the version of a data file from its table of metadata. Format 0 is a new file. */
export function readDataVersion<Options>(meta: MetadataReader<Options>, options?: Options): DataVersion {
  const format = Number((meta.get(formatKey, options) ?? '0').toString());
  return { format, writer: meta.get(writerKey, options)?.toString() };
}

/** Writes the version of a data file. Must run in a transaction. */
export function writeDataVersion(
  meta: { put(key: Buffer, value: Buffer): unknown },
  { format, writer }: DataVersion,
): void {
  void meta.put(formatKey, Buffer.from(String(format)));
  if (writer !== undefined) void meta.put(writerKey, Buffer.from(writer));
}

/** Returns whether the program changes the version of existing data when it opens it. */
export function isChange(found: DataVersion, writer: string | undefined): boolean {
  if (found.format === 0) return false;
  return found.format < formatVersion || (writer !== undefined && writer !== found.writer);
}
