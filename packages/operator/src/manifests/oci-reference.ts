/** Where an artifact is in a registry. */
export interface OciReference {
  /** `host[:port]`, with `http://` before it when it is spoken to without encryption. */
  readonly host: string;
  readonly repository: string;
  /** A tag, or a digest. Absent: the version of the provider. */
  readonly reference?: string;
}

/** `[http://|oci://]host[:port]/repository[:tag|@digest]`; undefined when it is none. */
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
