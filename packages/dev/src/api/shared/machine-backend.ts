import { boolean, list, object, optional, string } from '@slipway/kube/kit';

export const extraMounts = list(
  object({
    containerPath: optional(string()),
    hostPath: optional(string()),
    readOnly: optional(boolean()),
  }),
);

const startup = object({
  provisioning: optional(
    object({
      startupDuration: string(),
      startupJitter: optional(string()),
    }),
  ),
});

export const machineBackend = object(
  {
    docker: optional(
      object({
        bootstrapTimeout: optional(string()),
        customImage: optional(string()),
        extraMounts: optional(extraMounts),
        preLoadImages: optional(list(string())),
      }),
    ),
    inMemory: optional(
      object({
        apiServer: optional(startup),
        etcd: optional(startup),
        node: optional(startup),
        vm: optional(startup),
      }),
    ),
  },
  { description: 'Where the machine runs: in a container, or only in memory.' },
);
