import { type BuiltinObject, clusterResource, type Condition } from './define.js';

export type CertificateSigningRequest = BuiltinObject<
  'certificates.k8s.io/v1',
  'CertificateSigningRequest',
  {
    spec: {
      request: string;
      signerName: string;
      usages?: string[];
      expirationSeconds?: number;
      username?: string;
      uid?: string;
      groups?: string[];
      extra?: Record<string, string[]>;
    };
    status?: { certificate?: string; conditions?: (Condition & { lastUpdateTime?: string | null })[] };
  }
>;
export const certificateSigningRequests = clusterResource<CertificateSigningRequest>(
  'certificates.k8s.io',
  'v1',
  'CertificateSigningRequest',
  'certificatesigningrequests',
);
