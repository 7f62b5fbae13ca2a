import {
  atomicList,
  boolean,
  enumeration,
  int32,
  map,
  mapList,
  object,
  optional,
  refine,
  string,
} from '@slipway/kube/kit';
import { extraEnvs } from '../shared.js';
import { clusterConfigurationTexts } from '../texts/cluster-configuration.js';

export const extraArgs = mapList(
  object({
    name: string({ minLength: 1, maxLength: 256, description: clusterConfigurationTexts.extraArgsName }),
    value: string({ minLength: 0, maxLength: 1024, description: clusterConfigurationTexts.extraArgsValue }),
  }),
  ['name', 'value'],
  {
    minItems: 1,
    maxItems: 100,
    rules: [{ rule: 'self.all(x, self.exists_one(y, x.name == y.name))', message: 'names must be unique' }],
    description: clusterConfigurationTexts.extraArgs,
  },
);

const extraVolumes = atomicList(
  object({
    hostPath: string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.hostPath }),
    mountPath: string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.mountPath }),
    name: string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.extraVolumesV1Beta1Name }),
    pathType: optional(string({ description: clusterConfigurationTexts.pathType })),
    readOnly: optional(boolean({ description: clusterConfigurationTexts.readOnly })),
  }),
  { minItems: 1, maxItems: 100, description: clusterConfigurationTexts.extraVolumesV1Beta1 },
);

const etcd = object(
  {
    external: optional(
      object(
        {
          caFile: string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.caFile }),
          certFile: string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.certFile }),
          endpoints: atomicList(string({ minLength: 1, maxLength: 512 }), {
            minItems: 1,
            maxItems: 50,
            description: clusterConfigurationTexts.endpoints,
          }),
          keyFile: string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.keyFile }),
        },
        { description: clusterConfigurationTexts.external },
      ),
    ),
    local: optional(
      object(
        {
          dataDir: optional(string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.dataDir })),
          extraArgs: optional(refine(extraArgs, { description: clusterConfigurationTexts.extraArgs })),
          extraEnvs: optional(extraEnvs),
          imageRepository: optional(
            string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.localImageRepository }),
          ),
          imageTag: optional(
            string({ minLength: 1, maxLength: 256, description: clusterConfigurationTexts.localImageTag }),
          ),
          peerCertSANs: optional(
            atomicList(string({ minLength: 1, maxLength: 253 }), {
              minItems: 1,
              maxItems: 100,
              description: clusterConfigurationTexts.peerCertSANs,
            }),
          ),
          serverCertSANs: optional(
            atomicList(string({ minLength: 1, maxLength: 253 }), {
              minItems: 1,
              maxItems: 100,
              description: clusterConfigurationTexts.serverCertSANs,
            }),
          ),
        },
        { minProperties: 1, description: clusterConfigurationTexts.local },
      ),
    ),
  },
  { minProperties: 1, description: clusterConfigurationTexts.etcdV1Beta1 },
);

export const clusterConfiguration = object(
  {
    apiServer: optional(
      object(
        {
          certSANs: optional(
            atomicList(string({ minLength: 1, maxLength: 253 }), {
              minItems: 1,
              maxItems: 100,
              description: clusterConfigurationTexts.certSANs,
            }),
          ),
          extraArgs: optional(refine(extraArgs, { description: clusterConfigurationTexts.extraArgs })),
          extraEnvs: optional(extraEnvs),
          extraVolumes: optional(refine(extraVolumes, { description: clusterConfigurationTexts.extraVolumesV1Beta1 })),
        },
        { minProperties: 1, description: clusterConfigurationTexts.apiServer },
      ),
    ),
    caCertificateValidityPeriodDays: optional(
      int32({ minimum: 1, maximum: 36500, description: clusterConfigurationTexts.caCertificateValidityPeriodDays }),
    ),
    certificateValidityPeriodDays: optional(
      int32({ minimum: 1, maximum: 1095, description: clusterConfigurationTexts.certificateValidityPeriodDays }),
    ),
    certificatesDir: optional(
      string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.certificatesDir }),
    ),
    controlPlaneEndpoint: optional(
      string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.controlPlaneEndpoint }),
    ),
    controllerManager: optional(
      object(
        {
          extraArgs: optional(refine(extraArgs, { description: clusterConfigurationTexts.extraArgs })),
          extraEnvs: optional(extraEnvs),
          extraVolumes: optional(refine(extraVolumes, { description: clusterConfigurationTexts.extraVolumesV1Beta1 })),
        },
        { minProperties: 1, description: clusterConfigurationTexts.controllerManager },
      ),
    ),
    dns: optional(
      object(
        {
          imageRepository: optional(
            string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.dnsImageRepository }),
          ),
          imageTag: optional(
            string({ minLength: 1, maxLength: 256, description: clusterConfigurationTexts.dnsImageTag }),
          ),
        },
        { minProperties: 1, description: clusterConfigurationTexts.dns },
      ),
    ),
    encryptionAlgorithm: optional(
      enumeration(['ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096'], {
        description: clusterConfigurationTexts.encryptionAlgorithm,
      }),
    ),
    etcd: optional(refine(etcd, { description: clusterConfigurationTexts.etcdV1Beta1 })),
    featureGates: optional(map(boolean(), { description: clusterConfigurationTexts.featureGates })),
    imageRepository: optional(
      string({
        minLength: 1,
        maxLength: 512,
        description: clusterConfigurationTexts.clusterConfigurationV1Beta1ImageRepository,
      }),
    ),
    scheduler: optional(
      object(
        {
          extraArgs: optional(refine(extraArgs, { description: clusterConfigurationTexts.extraArgs })),
          extraEnvs: optional(extraEnvs),
          extraVolumes: optional(refine(extraVolumes, { description: clusterConfigurationTexts.extraVolumesV1Beta1 })),
        },
        { minProperties: 1, description: clusterConfigurationTexts.scheduler },
      ),
    ),
  },
  { description: clusterConfigurationTexts.clusterConfigurationV1Beta1, minProperties: 1 },
);
