/** Storage of the server's keys and certificates. Names are relative, such as `pki/ca.crt`. */
export interface IdentityFiles {
  read(name: string): Promise<string | undefined>;
  /** Replaces the file atomically: after a crash it has either the old or the new content. */
  write(name: string, text: string): Promise<void>;
}
