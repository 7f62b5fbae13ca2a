interface TlsTrust {
  readonly ca?: string;
  readonly allowPartialTrustChain?: boolean;
}

/**
 * Returns the TLS options of a client for a CA bundle. As in Go, a certificate of the bundle is trusted whether or not it is a
 * root, such as a self-signed serving certificate. Without a bundle neither option may be set: each makes Node.js 20 ignore
 * NODE_EXTRA_CA_CERTS.
 */
export function tlsTrust(caBundle: string | undefined): TlsTrust {
  return caBundle === undefined || caBundle === '' ? {} : { ca: caBundle, allowPartialTrustChain: true };
}
