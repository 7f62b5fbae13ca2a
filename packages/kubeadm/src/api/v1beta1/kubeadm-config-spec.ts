import { boolean, enumeration, int32, list, object, optional, refine, string } from '@slipway/kube/kit';
import { secretSource } from '../shared.js';
import { clusterConfigurationV1Beta1 } from './cluster-configuration.js';
import { initConfigurationV1Beta1, joinConfigurationV1Beta1 } from './node-configuration.js';
import { kubeadmConfigTexts } from '../texts/kubeadm-config.js';

const diskSetupV1Beta1 = object(
  {
    filesystems: optional(
      list(
        object({
          device: string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.filesystemsDevice }),
          extraOpts: optional(
            list(string({ minLength: 1, maxLength: 256 }), {
              maxItems: 100,
              description: kubeadmConfigTexts.extraOpts,
            }),
          ),
          filesystem: string({ minLength: 1, maxLength: 128, description: kubeadmConfigTexts.filesystem }),
          label: optional(string({ minLength: 1, maxLength: 512, description: kubeadmConfigTexts.label })),
          overwrite: optional(boolean({ description: kubeadmConfigTexts.filesystemsOverwrite })),
          partition: optional(string({ minLength: 1, maxLength: 128, description: kubeadmConfigTexts.partition })),
          replaceFS: optional(string({ minLength: 1, maxLength: 128, description: kubeadmConfigTexts.replaceFS })),
        }),
        { maxItems: 100, description: kubeadmConfigTexts.filesystems },
      ),
    ),
    partitions: optional(
      list(
        object({
          device: string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.filesystemsDevice }),
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
                    description: kubeadmConfigTexts.partitionType,
                  }),
                ),
                percentage: int32({ minimum: 1, maximum: 100, description: kubeadmConfigTexts.percentage }),
              }),
              { minItems: 1, maxItems: 100, description: kubeadmConfigTexts.diskLayout },
            ),
          ),
          layout: boolean({ description: kubeadmConfigTexts.layout }),
          overwrite: optional(boolean({ description: kubeadmConfigTexts.partitionsOverwrite })),
          tableType: optional(enumeration(['mbr', 'gpt'], { description: kubeadmConfigTexts.tableType })),
        }),
        { maxItems: 100, description: kubeadmConfigTexts.partitions },
      ),
    ),
  },
  { description: kubeadmConfigTexts.diskSetupV1Beta1 },
);

const filesV1Beta1 = list(
  object({
    append: optional(boolean({ description: kubeadmConfigTexts.append })),
    content: optional(string({ minLength: 1, maxLength: 10240, description: kubeadmConfigTexts.content })),
    contentFormat: optional(enumeration(['Raw', 'Template'], { description: kubeadmConfigTexts.contentFormat })),
    contentFrom: optional(refine(secretSource, { description: kubeadmConfigTexts.contentFrom })),
    encoding: optional(enumeration(['base64', 'gzip', 'gzip+base64'], { description: kubeadmConfigTexts.encoding })),
    owner: optional(string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.owner })),
    path: string({ minLength: 1, maxLength: 512, description: kubeadmConfigTexts.filesV1Beta1Path }),
    permissions: optional(string({ minLength: 1, maxLength: 16, description: kubeadmConfigTexts.permissions })),
  }),
  { maxItems: 200, description: kubeadmConfigTexts.filesV1Beta1 },
);

const usersV1Beta1 = list(
  object({
    gecos: optional(string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.gecos })),
    groups: optional(string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.groups })),
    homeDir: optional(string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.homeDir })),
    inactive: optional(boolean({ description: kubeadmConfigTexts.inactive })),
    lockPassword: optional(boolean({ description: kubeadmConfigTexts.lockPassword })),
    name: string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.usersV1Beta1Name }),
    passwd: optional(string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.passwd })),
    passwdFrom: optional(refine(secretSource, { description: kubeadmConfigTexts.passwdFrom })),
    primaryGroup: optional(string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.primaryGroup })),
    shell: optional(string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.shell })),
    sshAuthorizedKeys: optional(
      list(string({ minLength: 1, maxLength: 2048 }), {
        maxItems: 100,
        description: kubeadmConfigTexts.sshAuthorizedKeys,
      }),
    ),
    sudo: optional(string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.sudo })),
  }),
  { maxItems: 100, description: kubeadmConfigTexts.usersV1Beta1 },
);

const commandsV1Beta1 = list(string({ minLength: 1, maxLength: 10240 }), {
  maxItems: 1000,
  description: kubeadmConfigTexts.commandsV1Beta1,
});

const ntpV1Beta1 = object(
  {
    enabled: optional(boolean({ description: kubeadmConfigTexts.ntpV1Beta1Enabled })),
    servers: optional(
      list(string({ minLength: 1, maxLength: 512 }), { maxItems: 100, description: kubeadmConfigTexts.servers }),
    ),
  },
  { description: kubeadmConfigTexts.ntpV1Beta1 },
);

export const kubeadmConfigSpecV1Beta1 = object(
  {
    bootCommands: optional(refine(commandsV1Beta1, { description: kubeadmConfigTexts.bootCommands })),
    clusterConfiguration: optional(clusterConfigurationV1Beta1),
    diskSetup: optional(refine(diskSetupV1Beta1, { description: kubeadmConfigTexts.diskSetupV1Beta1 })),
    files: optional(refine(filesV1Beta1, { description: kubeadmConfigTexts.filesV1Beta1 })),
    format: optional(enumeration(['cloud-config', 'ignition'], { description: kubeadmConfigTexts.format })),
    ignition: optional(
      object(
        {
          containerLinuxConfig: optional(
            object(
              {
                additionalConfig: optional(
                  string({ minLength: 1, maxLength: 32768, description: kubeadmConfigTexts.additionalConfig }),
                ),
                strict: optional(boolean({ description: kubeadmConfigTexts.strict })),
              },
              { description: kubeadmConfigTexts.containerLinuxConfig },
            ),
          ),
        },
        { description: kubeadmConfigTexts.ignition },
      ),
    ),
    initConfiguration: optional(initConfigurationV1Beta1),
    joinConfiguration: optional(joinConfigurationV1Beta1),
    mounts: optional(
      list(list(string({ minLength: 1, maxLength: 512 })), { maxItems: 100, description: kubeadmConfigTexts.mounts }),
    ),
    ntp: optional(refine(ntpV1Beta1, { description: kubeadmConfigTexts.ntpV1Beta1 })),
    postKubeadmCommands: optional(refine(commandsV1Beta1, { description: kubeadmConfigTexts.postKubeadmCommands })),
    preKubeadmCommands: optional(refine(commandsV1Beta1, { description: kubeadmConfigTexts.preKubeadmCommands })),
    useExperimentalRetryJoin: optional(boolean({ description: kubeadmConfigTexts.useExperimentalRetryJoin })),
    users: optional(refine(usersV1Beta1, { description: kubeadmConfigTexts.usersV1Beta1 })),
    verbosity: optional(int32({ description: kubeadmConfigTexts.verbosity })),
  },
  { description: kubeadmConfigTexts.kubeadmConfigSpecV1Beta1 },
);
