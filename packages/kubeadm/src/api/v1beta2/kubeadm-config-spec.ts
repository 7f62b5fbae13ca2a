import { atomicList, boolean, enumeration, int32, list, object, optional, string } from '@slipway/kube/kit';
import { secretSource } from '../shared.js';
import { clusterConfiguration } from './cluster-configuration.js';
import { initConfiguration, joinConfiguration } from './node-configuration.js';

const diskSetup = object(
  {
    filesystems: optional(
      atomicList(
        object({
          device: string({ minLength: 1, maxLength: 256 }),
          extraOpts: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
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
      atomicList(
        object(
          {
            device: string({ minLength: 1, maxLength: 256 }),
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
                    }),
                  ),
                  percentage: int32({ minimum: 1, maximum: 100 }),
                }),
                { minItems: 1, maxItems: 100 },
              ),
            ),
            layout: optional(boolean()),
            overwrite: optional(boolean()),
            tableType: optional(enumeration(['mbr', 'gpt'])),
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
        { maxItems: 100 },
      ),
    ),
  },
  { description: 'Partitions and file systems to be made before kubeadm runs.', minProperties: 1 },
);

const files = atomicList(
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
  { description: 'Files to be written before kubeadm runs.', minItems: 1, maxItems: 200 },
);

const users = atomicList(
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
    sshAuthorizedKeys: optional(atomicList(string({ minLength: 1, maxLength: 2048 }), { maxItems: 100 })),
    sudo: optional(string({ minLength: 1, maxLength: 256 })),
  }),
  { description: 'Users to be made.', minItems: 1, maxItems: 100 },
);

const commands = atomicList(string({ minLength: 1, maxLength: 10240 }), { minItems: 1, maxItems: 1000 });

const ntp = object(
  {
    enabled: optional(boolean()),
    servers: optional(atomicList(string({ minLength: 1, maxLength: 512 }), { maxItems: 100 })),
  },
  { description: 'Where time comes from.', minProperties: 1 },
);

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
