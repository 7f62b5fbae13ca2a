import { boolean, enumeration, int32, list, map, object, optional, refine, string } from '@slipway/kube/kit';
import { extraEnvsV1Beta1 } from '../shared.js';
import { clusterConfigurationTexts } from '../texts/cluster-configuration.js';

const extraVolumesV1Beta1 = list(
  object({
    hostPath: string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.hostPath }),
    mountPath: string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.mountPath }),
    name: string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.extraVolumesV1Beta1Name }),
    pathType: optional(string({ description: clusterConfigurationTexts.pathType })),
    readOnly: optional(boolean({ description: clusterConfigurationTexts.readOnly })),
  }),
  { maxItems: 100, description: clusterConfigurationTexts.extraVolumesV1Beta1 },
);

const etcdV1Beta1 = object(
  {
    external: optional(
      object(
        {
          caFile: string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.caFile }),
          certFile: string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.certFile }),
          endpoints: list(string({ minLength: 1, maxLength: 512 }), {
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
          extraArgs: optional(map(string(), { description: clusterConfigurationTexts.extraArgs })),
          extraEnvs: optional(extraEnvsV1Beta1),
          imageRepository: optional(
            string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.localImageRepository }),
          ),
          imageTag: optional(
            string({ minLength: 1, maxLength: 256, description: clusterConfigurationTexts.localImageTag }),
          ),
          peerCertSANs: optional(
            list(string({ minLength: 1, maxLength: 253 }), {
              maxItems: 100,
              description: clusterConfigurationTexts.peerCertSANs,
            }),
          ),
          serverCertSANs: optional(
            list(string({ minLength: 1, maxLength: 253 }), {
              maxItems: 100,
              description: clusterConfigurationTexts.serverCertSANs,
            }),
          ),
        },
        { description: clusterConfigurationTexts.local },
      ),
    ),
  },
  { description: clusterConfigurationTexts.etcdV1Beta1 },
);

export const clusterConfigurationV1Beta1 = object(
  {
    apiServer: optional(
      object(
        {
          certSANs: optional(
            list(string({ minLength: 1, maxLength: 253 }), {
              maxItems: 100,
              description: clusterConfigurationTexts.certSANs,
            }),
          ),
          extraArgs: optional(map(string(), { description: clusterConfigurationTexts.extraArgs })),
          extraEnvs: optional(extraEnvsV1Beta1),
          extraVolumes: optional(
            refine(extraVolumesV1Beta1, { description: clusterConfigurationTexts.extraVolumesV1Beta1 }),
          ),
          timeoutForControlPlane: optional(string({ description: clusterConfigurationTexts.timeoutForControlPlane })),
        },
        { description: clusterConfigurationTexts.apiServer },
      ),
    ),
    apiVersion: optional(string({ description: clusterConfigurationTexts.apiVersion })),
    caCertificateValidityPeriodDays: optional(
      int32({ minimum: 1, maximum: 36500, description: clusterConfigurationTexts.caCertificateValidityPeriodDays }),
    ),
    certificateValidityPeriodDays: optional(
      int32({ minimum: 1, maximum: 1095, description: clusterConfigurationTexts.certificateValidityPeriodDays }),
    ),
    certificatesDir: optional(
      string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.certificatesDir }),
    ),
    clusterName: optional(string({ minLength: 1, maxLength: 63, description: clusterConfigurationTexts.clusterName })),
    controlPlaneEndpoint: optional(
      string({ minLength: 1, maxLength: 512, description: clusterConfigurationTexts.controlPlaneEndpoint }),
    ),
    controllerManager: optional(
      object(
        {
          extraArgs: optional(map(string(), { description: clusterConfigurationTexts.extraArgs })),
          extraEnvs: optional(extraEnvsV1Beta1),
          extraVolumes: optional(
            refine(extraVolumesV1Beta1, { description: clusterConfigurationTexts.extraVolumesV1Beta1 }),
          ),
        },
        { description: clusterConfigurationTexts.controllerManager },
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
        { description: clusterConfigurationTexts.dns },
      ),
    ),
    encryptionAlgorithm: optional(
      enumeration(['ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096'], {
        description: clusterConfigurationTexts.encryptionAlgorithm,
      }),
    ),
    etcd: optional(refine(etcdV1Beta1, { description: clusterConfigurationTexts.etcdV1Beta1 })),
    featureGates: optional(map(boolean(), { description: clusterConfigurationTexts.featureGates })),
    imageRepository: optional(
      string({
        minLength: 1,
        maxLength: 512,
        description: clusterConfigurationTexts.clusterConfigurationV1Beta1ImageRepository,
      }),
    ),
    kind: optional(string({ description: clusterConfigurationTexts.kind })),
    kubernetesVersion: optional(
      string({ minLength: 1, maxLength: 256, description: clusterConfigurationTexts.kubernetesVersion }),
    ),
    networking: optional(
      object(
        {
          dnsDomain: optional(
            string({ minLength: 1, maxLength: 253, description: clusterConfigurationTexts.dnsDomain }),
          ),
          podSubnet: optional(
            string({ minLength: 1, maxLength: 1024, description: clusterConfigurationTexts.podSubnet }),
          ),
          serviceSubnet: optional(
            string({ minLength: 1, maxLength: 1024, description: clusterConfigurationTexts.serviceSubnet }),
          ),
        },
        { description: clusterConfigurationTexts.networking },
      ),
    ),
    scheduler: optional(
      object(
        {
          extraArgs: optional(map(string(), { description: clusterConfigurationTexts.extraArgs })),
          extraEnvs: optional(extraEnvsV1Beta1),
          extraVolumes: optional(
            refine(extraVolumesV1Beta1, { description: clusterConfigurationTexts.extraVolumesV1Beta1 }),
          ),
        },
        { description: clusterConfigurationTexts.scheduler },
      ),
    ),
  },
  { description: clusterConfigurationTexts.clusterConfigurationV1Beta1 },
);
