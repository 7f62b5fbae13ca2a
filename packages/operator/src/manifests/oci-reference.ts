/** Reference of an OCI artifact. */
export interface OciReference {
  /** `host[:port]`, with prefix `http://` for a connection without TLS. */
  readonly host: string;
  readonly repository: string;
  /** Tag or digest. If absent, the version of the provider is used. */
  readonly reference?: string;
}

/** Parses `[http://|oci://]host[:port]/repository[:tag|@digest]`. Returns undefined if invalid. */
export function parseOciReference(text: string): OciReference | undefined {
  const [, scheme = '', host = '', path = ''] = /^(?:(http|https|oci):\/\/)?([^/]+)\/(.+)$/.exec(text) ?? [];
  const [, repository = '', tag, digest] = /^([^:@]+)(?::([^:@/]+))?(?:@(\w+:[0-9a-f]+))?$/.exec(path) ?? [];
  if (host === '' || repository === '') return undefined;
  const reference = digest ?? tag;
  return {
    host: scheme === 'http' ? `http://${host}` : host,
    repository,
    ...(reference !== undefined && { reference }),
  };
}
