import { boolean, list, object, optional, refine, string } from '@slipway/kube/kit';

const texts = {
  extraMounts: 'extraMounts are additional mounts of the container.',
};

export const extraMounts = list(
  object({
    containerPath: optional(string({ description: 'containerPath is the path in the container.' })),
    hostPath: optional(string({ description: 'hostPath is the path on the host.' })),
    readOnly: optional(boolean({ description: 'readOnly mounts the path read-only. Defaults to false.' })),
  }),
  { description: texts.extraMounts },
);

const startup = object(
  {
    provisioning: optional(
      object(
        {
          startupDuration: string({
            description: 'startupDuration is how long the provisioning takes, as a duration such as 10s.',
          }),
          startupJitter: optional(
            string({
              description:
                'startupJitter is the maximum random increase of startupDuration, as a fraction of it such as 0.2.',
            }),
          ),
        },
        { description: 'provisioning configures how long the simulated provisioning takes.' },
      ),
    ),
  },
  { description: 'Settings of the simulation of one part of the machine.' },
);

export const machineBackend = object(
  {
    docker: optional(
      object(
        {
          bootstrapTimeout: optional(
            string({
              description:
                'bootstrapTimeout is how long the bootstrap of the machine may take, as a duration such as 3m. Defaults to 3m.',
            }),
          ),
          customImage: optional(
            string({
              description:
                'customImage is the image of the container. Defaults to the kindest/node image of the Kubernetes version.',
            }),
          ),
          extraMounts: optional(refine(extraMounts, { description: texts.extraMounts })),
          preLoadImages: optional(
            list(string(), {
              description: 'preLoadImages are images that are loaded into the machine before the bootstrap.',
            }),
          ),
        },
        {
          description:
            'docker runs the machine as a container. Not supported by Slipway: DevMachines with this backend are not provisioned.',
        },
      ),
    ),
    inMemory: optional(
      object(
        {
          apiServer: optional(
            refine(startup, {
              description: 'apiServer configures the simulation of the API server. Only for control plane machines.',
            }),
          ),
          etcd: optional(
            refine(startup, {
              description: 'etcd configures the simulation of the etcd member. Only for control plane machines.',
            }),
          ),
          node: optional(refine(startup, { description: 'node configures the simulation of the Node.' })),
          vm: optional(refine(startup, { description: 'vm configures the simulation of the virtual machine.' })),
        },
        { description: 'inMemory simulates the machine, its Node and its control plane components in memory.' },
      ),
    ),
  },
  { description: 'backend defines how the machine runs. Exactly one of docker and inMemory must be set.' },
);
