/** Text that is at hand, or in a file that is read when it is needed: files of tokens and certificates are rotated. */
export type Content = { readonly data: string } | { readonly file: string };

export interface ExecPlugin {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /** Printed when the program is not installed. */
  readonly installHint?: string;
  /** The cluster's `client.authentication.k8s.io/exec` extension, handed to the plugin. */
  readonly clusterConfig?: unknown;
}

export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: ReadonlyMap<string, readonly string[]>;
}

/** Everything needed to reach one API server as one user. `kubeconfig/` makes these from files. */
export interface ConnectionConfig {
  /** `https://host:port`, perhaps with a path below which the API is served. */
  readonly server: string;
  readonly certificateAuthority?: Content;
  /** The name that the server's certificate must carry, when it is not the host of the address. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly clientCertificate?: Content;
  readonly clientKey?: Content;
  readonly token?: Content;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly exec?: ExecPlugin;
  readonly impersonate?: Impersonation;
  /** An HTTP proxy that is asked to CONNECT. */
  readonly proxyUrl?: string;
  readonly disableCompression?: boolean;
}
