import { atomicList, boolean, enumeration, int32, list, object, optional, string } from '@slipway/kube/kit';
import { clusterConfiguration } from './cluster-configuration.js';
import { commands, diskSetup, files, ntp, users } from './machine-setup.js';
import { initConfiguration, joinConfiguration } from './node-configuration.js';

export const kubeadmConfigSpec = object(
  {
    bootCommands: optional(commands),
    clusterConfiguration: optional(clusterConfiguration),
    diskSetup: optional(diskSetup),
    files: optional(files),
    format: optional(enumeration(['cloud-config', 'ignition'])),
    ignition: optional(
      object(
        {
          containerLinuxConfig: optional(
            object(
              {
                additionalConfig: optional(string({ minLength: 1, maxLength: 32768 })),
                strict: optional(boolean()),
              },
              { minProperties: 1 },
            ),
          ),
        },
        { minProperties: 1 },
      ),
    ),
    initConfiguration: optional(initConfiguration),
    joinConfiguration: optional(joinConfiguration),
    mounts: optional(
      atomicList(list(string({ minLength: 1, maxLength: 512 }), { minItems: 1, maxItems: 100 }), {
        minItems: 1,
        maxItems: 100,
      }),
    ),
    ntp: optional(ntp),
    postKubeadmCommands: optional(commands),
    preKubeadmCommands: optional(commands),
    users: optional(users),
    verbosity: optional(int32()),
  },
  { description: 'How a machine is set up and started with kubeadm.', minProperties: 1 },
);
