import { dateTime, int64, object, optional, string } from '@slipway/kube/kit';

export const nodeInfo = object({
  architecture: string(),
  bootID: string(),
  containerRuntimeVersion: string(),
  kernelVersion: string(),
  kubeProxyVersion: string(),
  kubeletVersion: string(),
  machineID: string(),
  operatingSystem: string(),
  osImage: string(),
  swap: optional(
    object({
      capacity: optional(int64()),
    }),
  ),
  systemUUID: string(),
});

export const deletionProgress = object({
  nodeDrainStartTime: optional(dateTime()),
  waitForNodeVolumeDetachStartTime: optional(dateTime()),
  waitForPreDrainHookStartTime: optional(dateTime()),
  waitForPreTerminateHookStartTime: optional(dateTime()),
});
