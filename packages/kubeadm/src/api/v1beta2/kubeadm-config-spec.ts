import { atomicList, boolean, enumeration, int32, list, object, optional, refine, string } from '@slipway/kube/kit';
import { secretSource } from '../shared.js';
import { clusterConfiguration } from './cluster-configuration.js';
import { initConfiguration, joinConfiguration } from './node-configuration.js';
import { kubeadmConfigTexts } from '../texts/kubeadm-config.js';

const diskSetup = object(
  {
    filesystems: optional(
      atomicList(
        object({
          device: string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.filesystemsDevice }),
          extraOpts: optional(
            atomicList(string({ minLength: 1, maxLength: 256 }), {
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
      atomicList(
        object(
          {
            device: string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.filesystemsDevice }),
            diskLayout: optional(
              atomicList(
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
            layout: optional(boolean({ description: kubeadmConfigTexts.layout })),
            overwrite: optional(boolean({ description: kubeadmConfigTexts.partitionsOverwrite })),
            tableType: optional(enumeration(['mbr', 'gpt'], { description: kubeadmConfigTexts.tableType })),
          },
          {
            rules: [
              {
                rule: '[has(self.layout),has(self.diskLayout)].filter(x,x==true).size() == 1',
                message: 'exactly one of layout and diskLayout must be set',
              },
            ],
          },
        ),
        { maxItems: 100, description: kubeadmConfigTexts.partitions },
      ),
    ),
  },
  { description: kubeadmConfigTexts.diskSetupV1Beta1, minProperties: 1 },
);

const files = atomicList(
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
  { description: kubeadmConfigTexts.filesV1Beta1, minItems: 1, maxItems: 200 },
);

const users = atomicList(
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
      atomicList(string({ minLength: 1, maxLength: 2048 }), {
        maxItems: 100,
        description: kubeadmConfigTexts.sshAuthorizedKeys,
      }),
    ),
    sudo: optional(string({ minLength: 1, maxLength: 256, description: kubeadmConfigTexts.sudo })),
  }),
  { description: kubeadmConfigTexts.usersV1Beta1, minItems: 1, maxItems: 100 },
);

const commands = atomicList(string({ minLength: 1, maxLength: 10240 }), {
  minItems: 1,
  maxItems: 1000,
  description: kubeadmConfigTexts.commandsV1Beta1,
});

const ntp = object(
  {
    enabled: optional(boolean({ description: kubeadmConfigTexts.ntpV1Beta1Enabled })),
    servers: optional(
      atomicList(string({ minLength: 1, maxLength: 512 }), { maxItems: 100, description: kubeadmConfigTexts.servers }),
    ),
  },
  { description: kubeadmConfigTexts.ntpV1Beta1, minProperties: 1 },
);

export const kubeadmConfigSpec = object(
  {
    bootCommands: optional(refine(commands, { description: kubeadmConfigTexts.bootCommands })),
    clusterConfiguration: optional(clusterConfiguration),
    diskSetup: optional(refine(diskSetup, { description: kubeadmConfigTexts.diskSetupV1Beta1 })),
    files: optional(refine(files, { description: kubeadmConfigTexts.filesV1Beta1 })),
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
              { minProperties: 1, description: kubeadmConfigTexts.containerLinuxConfig },
            ),
          ),
        },
        { minProperties: 1, description: kubeadmConfigTexts.ignition },
      ),
    ),
    initConfiguration: optional(initConfiguration),
    joinConfiguration: optional(joinConfiguration),
    mounts: optional(
      atomicList(list(string({ minLength: 1, maxLength: 512 }), { minItems: 1, maxItems: 100 }), {
        minItems: 1,
        maxItems: 100,
        description: kubeadmConfigTexts.mounts,
      }),
    ),
    ntp: optional(refine(ntp, { description: kubeadmConfigTexts.ntpV1Beta1 })),
    postKubeadmCommands: optional(refine(commands, { description: kubeadmConfigTexts.postKubeadmCommands })),
    preKubeadmCommands: optional(refine(commands, { description: kubeadmConfigTexts.preKubeadmCommands })),
    users: optional(refine(users, { description: kubeadmConfigTexts.usersV1Beta1 })),
    verbosity: optional(int32({ description: kubeadmConfigTexts.verbosity })),
  },
  { description: kubeadmConfigTexts.kubeadmConfigSpecV1Beta1, minProperties: 1 },
);
