import { atomicList, boolean, enumeration, int32, map, mapList, object, optional, string } from '@slipway/kube/kit';
import { extraEnvs } from '../shared.js';

export const extraArgs = mapList(
  object({
    name: string({ minLength: 1, maxLength: 256 }),
    value: string({ minLength: 0, maxLength: 1024 }),
  }),
  ['name', 'value'],
  {
    minItems: 1,
    maxItems: 100,
    rules: [{ rule: 'self.all(x, self.exists_one(y, x.name == y.name))', message: 'each name may be given once' }],
  },
);

const extraVolumes = atomicList(
  object({
    hostPath: string({ minLength: 1, maxLength: 512 }),
    mountPath: string({ minLength: 1, maxLength: 512 }),
    name: string({ minLength: 1, maxLength: 512 }),
    pathType: optional(string()),
    readOnly: optional(boolean()),
  }),
  { minItems: 1, maxItems: 100 },
);

const etcd = object(
  {
    external: optional(
      object({
        caFile: string({ minLength: 1, maxLength: 512 }),
        certFile: string({ minLength: 1, maxLength: 512 }),
        endpoints: atomicList(string({ minLength: 1, maxLength: 512 }), { minItems: 1, maxItems: 50 }),
        keyFile: string({ minLength: 1, maxLength: 512 }),
      }),
    ),
    local: optional(
      object(
        {
          dataDir: optional(string({ minLength: 1, maxLength: 512 })),
          extraArgs: optional(extraArgs),
          extraEnvs: optional(extraEnvs),
          imageRepository: optional(string({ minLength: 1, maxLength: 512 })),
          imageTag: optional(string({ minLength: 1, maxLength: 256 })),
          peerCertSANs: optional(atomicList(string({ minLength: 1, maxLength: 253 }), { minItems: 1, maxItems: 100 })),
          serverCertSANs: optional(
            atomicList(string({ minLength: 1, maxLength: 253 }), { minItems: 1, maxItems: 100 }),
          ),
        },
        { minProperties: 1 },
      ),
    ),
  },
  { minProperties: 1 },
);

export const clusterConfiguration = object(
  {
    apiServer: optional(
      object(
        {
          certSANs: optional(atomicList(string({ minLength: 1, maxLength: 253 }), { minItems: 1, maxItems: 100 })),
          extraArgs: optional(extraArgs),
          extraEnvs: optional(extraEnvs),
          extraVolumes: optional(extraVolumes),
        },
        { minProperties: 1 },
      ),
    ),
    caCertificateValidityPeriodDays: optional(int32({ minimum: 1, maximum: 36500 })),
    certificateValidityPeriodDays: optional(int32({ minimum: 1, maximum: 1095 })),
    certificatesDir: optional(string({ minLength: 1, maxLength: 512 })),
    controlPlaneEndpoint: optional(string({ minLength: 1, maxLength: 512 })),
    controllerManager: optional(
      object(
        {
          extraArgs: optional(extraArgs),
          extraEnvs: optional(extraEnvs),
          extraVolumes: optional(extraVolumes),
        },
        { minProperties: 1 },
      ),
    ),
    dns: optional(
      object(
        {
          imageRepository: optional(string({ minLength: 1, maxLength: 512 })),
          imageTag: optional(string({ minLength: 1, maxLength: 256 })),
        },
        { minProperties: 1 },
      ),
    ),
    encryptionAlgorithm: optional(enumeration(['ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096'])),
    etcd: optional(etcd),
    featureGates: optional(map(boolean())),
    imageRepository: optional(string({ minLength: 1, maxLength: 512 })),
    scheduler: optional(
      object(
        {
          extraArgs: optional(extraArgs),
          extraEnvs: optional(extraEnvs),
          extraVolumes: optional(extraVolumes),
        },
        { minProperties: 1 },
      ),
    ),
  },
  { description: 'What kubeadm is told of the cluster as a whole.', minProperties: 1 },
);
