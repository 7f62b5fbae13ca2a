/** Inline text, or a file that is read on each use, because token and certificate files are rotated. */
export type Content = { readonly data: string } | { readonly file: string };

export interface ExecPlugin {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /** Text to print when the plugin binary is not installed. */
  readonly installHint?: string;
  /** The cluster's `client.authentication.k8s.io/exec` extension, which is passed to the plugin. */
  readonly clusterConfig?: unknown;
}

export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: ReadonlyMap<string, readonly string[]>;
}

/** Everything needed to connect to one API server as one user. `kubeconfig/` creates it from kubeconfig files. */
export interface ConnectionConfig {
  /** `https://host:port`, optionally with the path under which the API is served. */
  readonly server: string;
  readonly certificateAuthority?: Content;
  /** The server name that the certificate must match, if it differs from the host of the address. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly clientCertificate?: Content;
  readonly clientKey?: Content;
  readonly token?: Content;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly exec?: ExecPlugin;
  readonly impersonate?: Impersonation;
  /** HTTP proxy through which connections are tunnelled with CONNECT. */
  readonly proxyUrl?: string;
  readonly disableCompression?: boolean;
}
