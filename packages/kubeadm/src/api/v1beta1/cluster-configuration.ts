import { boolean, enumeration, int32, list, map, object, optional, string } from '@slipway/kube/kit';
import { extraEnvsV1Beta1 } from '../shared.js';

const extraVolumesV1Beta1 = list(
  object({
    hostPath: string({ minLength: 1, maxLength: 512 }),
    mountPath: string({ minLength: 1, maxLength: 512 }),
    name: string({ minLength: 1, maxLength: 512 }),
    pathType: optional(string()),
    readOnly: optional(boolean()),
  }),
  { maxItems: 100 },
);

const etcdV1Beta1 = object({
  external: optional(
    object({
      caFile: string({ minLength: 1, maxLength: 512 }),
      certFile: string({ minLength: 1, maxLength: 512 }),
      endpoints: list(string({ minLength: 1, maxLength: 512 }), { maxItems: 50 }),
      keyFile: string({ minLength: 1, maxLength: 512 }),
    }),
  ),
  local: optional(
    object({
      dataDir: optional(string({ minLength: 1, maxLength: 512 })),
      extraArgs: optional(map(string())),
      extraEnvs: optional(extraEnvsV1Beta1),
      imageRepository: optional(string({ minLength: 1, maxLength: 512 })),
      imageTag: optional(string({ minLength: 1, maxLength: 256 })),
      peerCertSANs: optional(list(string({ minLength: 1, maxLength: 253 }), { maxItems: 100 })),
      serverCertSANs: optional(list(string({ minLength: 1, maxLength: 253 }), { maxItems: 100 })),
    }),
  ),
});

export const clusterConfigurationV1Beta1 = object({
  apiServer: optional(
    object({
      certSANs: optional(list(string({ minLength: 1, maxLength: 253 }), { maxItems: 100 })),
      extraArgs: optional(map(string())),
      extraEnvs: optional(extraEnvsV1Beta1),
      extraVolumes: optional(extraVolumesV1Beta1),
      timeoutForControlPlane: optional(string()),
    }),
  ),
  apiVersion: optional(string()),
  caCertificateValidityPeriodDays: optional(int32({ minimum: 1, maximum: 36500 })),
  certificateValidityPeriodDays: optional(int32({ minimum: 1, maximum: 1095 })),
  certificatesDir: optional(string({ minLength: 1, maxLength: 512 })),
  clusterName: optional(string({ minLength: 1, maxLength: 63 })),
  controlPlaneEndpoint: optional(string({ minLength: 1, maxLength: 512 })),
  controllerManager: optional(
    object({
      extraArgs: optional(map(string())),
      extraEnvs: optional(extraEnvsV1Beta1),
      extraVolumes: optional(extraVolumesV1Beta1),
    }),
  ),
  dns: optional(
    object({
      imageRepository: optional(string({ minLength: 1, maxLength: 512 })),
      imageTag: optional(string({ minLength: 1, maxLength: 256 })),
    }),
  ),
  encryptionAlgorithm: optional(enumeration(['ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096'])),
  etcd: optional(etcdV1Beta1),
  featureGates: optional(map(boolean())),
  imageRepository: optional(string({ minLength: 1, maxLength: 512 })),
  kind: optional(string()),
  kubernetesVersion: optional(string({ minLength: 1, maxLength: 256 })),
  networking: optional(
    object({
      dnsDomain: optional(string({ minLength: 1, maxLength: 253 })),
      podSubnet: optional(string({ minLength: 1, maxLength: 1024 })),
      serviceSubnet: optional(string({ minLength: 1, maxLength: 1024 })),
    }),
  ),
  scheduler: optional(
    object({
      extraArgs: optional(map(string())),
      extraEnvs: optional(extraEnvsV1Beta1),
      extraVolumes: optional(extraVolumesV1Beta1),
    }),
  ),
});
