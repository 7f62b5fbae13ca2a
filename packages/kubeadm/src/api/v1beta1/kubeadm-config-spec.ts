import { boolean, enumeration, int32, list, object, optional, string } from '@slipway/kube/kit';
import { clusterConfigurationV1Beta1 } from './cluster-configuration.js';
import { commandsV1Beta1, diskSetupV1Beta1, filesV1Beta1, ntpV1Beta1, usersV1Beta1 } from './machine-setup.js';
import { initConfigurationV1Beta1, joinConfigurationV1Beta1 } from './node-configuration.js';

export const kubeadmConfigSpecV1Beta1 = object({
  bootCommands: optional(commandsV1Beta1),
  clusterConfiguration: optional(clusterConfigurationV1Beta1),
  diskSetup: optional(diskSetupV1Beta1),
  files: optional(filesV1Beta1),
  format: optional(enumeration(['cloud-config', 'ignition'])),
  ignition: optional(
    object({
      containerLinuxConfig: optional(
        object({
          additionalConfig: optional(string({ minLength: 1, maxLength: 32768 })),
          strict: optional(boolean()),
        }),
      ),
    }),
  ),
  initConfiguration: optional(initConfigurationV1Beta1),
  joinConfiguration: optional(joinConfigurationV1Beta1),
  mounts: optional(list(list(string({ minLength: 1, maxLength: 512 })), { maxItems: 100 })),
  ntp: optional(ntpV1Beta1),
  postKubeadmCommands: optional(commandsV1Beta1),
  preKubeadmCommands: optional(commandsV1Beta1),
  useExperimentalRetryJoin: optional(boolean()),
  users: optional(usersV1Beta1),
  verbosity: optional(int32()),
});
