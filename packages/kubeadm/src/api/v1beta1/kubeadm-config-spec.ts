import { boolean, enumeration, int32, list, object, optional, string } from '@slipway/kube/kit';
import { secretSource } from '../shared.js';
import { clusterConfigurationV1Beta1 } from './cluster-configuration.js';
import { initConfigurationV1Beta1, joinConfigurationV1Beta1 } from './node-configuration.js';

const diskSetupV1Beta1 = object({
  filesystems: optional(
    list(
      object({
        device: string({ minLength: 1, maxLength: 256 }),
        extraOpts: optional(list(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
        filesystem: string({ minLength: 1, maxLength: 128 }),
        label: optional(string({ minLength: 1, maxLength: 512 })),
        overwrite: optional(boolean()),
        partition: optional(string({ minLength: 1, maxLength: 128 })),
        replaceFS: optional(string({ minLength: 1, maxLength: 128 })),
      }),
      { maxItems: 100 },
    ),
  ),
  partitions: optional(
    list(
      object({
        device: string({ minLength: 1, maxLength: 256 }),
        diskLayout: optional(
          list(
            object({
              partitionType: optional(
                string({
                  minLength: 1,
                  maxLength: 36,
                  rules: [
                    {
                      rule: "self.matches('^(Linux|LinuxSwap|LinuxRAID|LVM|Fat32|NTFS|LinuxExtended|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$')",
                      message: 'must be a well-known partition type or a GUID',
                    },
                  ],
                }),
              ),
              percentage: int32({ minimum: 1, maximum: 100 }),
            }),
            { minItems: 1, maxItems: 100 },
          ),
        ),
        layout: boolean(),
        overwrite: optional(boolean()),
        tableType: optional(enumeration(['mbr', 'gpt'])),
      }),
      { maxItems: 100 },
    ),
  ),
});

const filesV1Beta1 = list(
  object({
    append: optional(boolean()),
    content: optional(string({ minLength: 1, maxLength: 10240 })),
    contentFormat: optional(enumeration(['Raw', 'Template'])),
    contentFrom: optional(secretSource),
    encoding: optional(enumeration(['base64', 'gzip', 'gzip+base64'])),
    owner: optional(string({ minLength: 1, maxLength: 256 })),
    path: string({ minLength: 1, maxLength: 512 }),
    permissions: optional(string({ minLength: 1, maxLength: 16 })),
  }),
  { maxItems: 200 },
);

const usersV1Beta1 = list(
  object({
    gecos: optional(string({ minLength: 1, maxLength: 256 })),
    groups: optional(string({ minLength: 1, maxLength: 256 })),
    homeDir: optional(string({ minLength: 1, maxLength: 256 })),
    inactive: optional(boolean()),
    lockPassword: optional(boolean()),
    name: string({ minLength: 1, maxLength: 256 }),
    passwd: optional(string({ minLength: 1, maxLength: 256 })),
    passwdFrom: optional(secretSource),
    primaryGroup: optional(string({ minLength: 1, maxLength: 256 })),
    shell: optional(string({ minLength: 1, maxLength: 256 })),
    sshAuthorizedKeys: optional(list(string({ minLength: 1, maxLength: 2048 }), { maxItems: 100 })),
    sudo: optional(string({ minLength: 1, maxLength: 256 })),
  }),
  { maxItems: 100 },
);

const commandsV1Beta1 = list(string({ minLength: 1, maxLength: 10240 }), { maxItems: 1000 });

const ntpV1Beta1 = object({
  enabled: optional(boolean()),
  servers: optional(list(string({ minLength: 1, maxLength: 512 }), { maxItems: 100 })),
});

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
