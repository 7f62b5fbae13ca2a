/** Where a server keeps who it is. Names are relative, such as `pki/ca.crt`. */
export interface IdentityFiles {
  read(name: string): Promise<string | undefined>;
  /** Replaces the file as a whole: after a crash the old or the new text is there, never a part. */
  write(name: string, text: string): Promise<void>;
}
