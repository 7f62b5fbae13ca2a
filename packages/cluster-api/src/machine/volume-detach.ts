import type { Frozen } from '@slipway/kube';
import type { Node, PersistentVolume, VolumeAttachment } from '@slipway/runtime';
import type { ObservedPod } from './drain/index.js';

/** Attached volumes that block the deletion. Each list is sorted. */
export interface AttachedVolumes {
  readonly claims: readonly string[];
  /** Volumes without a PersistentVolumeClaim. */
  readonly unclaimed: readonly string[];
  /** Volume names in the Node status that match no PersistentVolume. */
  readonly unknownOnNode: readonly string[];
  /** Volume names in VolumeAttachments that match no PersistentVolume. */
  readonly unknownAttachments: readonly string[];
}

export interface VolumesInput {
  readonly node: Frozen<Node>;
  /** Volumes in the Node status. Undefined if they are not considered. */
  readonly attachments: readonly Frozen<VolumeAttachment>[];
  readonly volumes: readonly Frozen<PersistentVolume>[];
  /** Pods that the drain skips. Their volumes stay attached while they run. */
  readonly skippedPods: readonly ObservedPod[];
}

export function attachedVolumes(input: VolumesInput): AttachedVolumes {
  const onNode = new Set((input.node.status?.volumesAttached ?? []).map(({ name }) => name));
  const byAttachment = new Set(volumesOfAttachments(input.attachments));
  const ignored = new Set(input.skippedPods.flatMap(claimsOf));
  const unknownOnNode = new Set(onNode);
  const unknownAttachments = new Set(byAttachment);
  const claims = new Set<string>();
  const unclaimed: string[] = [];
  for (const volume of input.volumes) {
    const name = volume.metadata.name ?? '';
    const csiName = csiNameOf(volume);
    if (!byAttachment.has(name) && !(csiName !== undefined && onNode.has(csiName))) continue;
    unknownAttachments.delete(name);
    if (csiName !== undefined) unknownOnNode.delete(csiName);
    const claim = volume.spec?.claimRef;
    if (claim?.kind === 'PersistentVolumeClaim') claims.add(`${claim.namespace ?? ''}/${claim.name ?? ''}`);
    else unclaimed.push(name);
  }
  return {
    claims: [...claims].filter((claim) => !ignored.has(claim)).sort(),
    unclaimed: unclaimed.sort(),
    unknownOnNode: [...unknownOnNode].sort(),
    unknownAttachments: [...unknownAttachments].sort(),
  };
}

/** Returns the volumes of VolumeAttachments, including inline volumes: nothing else reports the detachment of those. */
function volumesOfAttachments(attachments: VolumesInput['attachments']): string[] {
  return attachments
    .filter(({ status }) => status?.attached === true)
    .map(({ spec, metadata }) => spec.source.persistentVolumeName ?? metadata.name ?? '');
}

/** Returns the name of a CSI volume in the Node status, in the format of the attach/detach controller. */
function csiNameOf(volume: Frozen<PersistentVolume>): string | undefined {
  const csi = volume.spec?.csi;
  return csi === undefined ? undefined : `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}`;
}

function claimsOf(pod: ObservedPod): string[] {
  const claims: string[] = [];
  for (const { persistentVolumeClaim: claim } of pod.spec?.volumes ?? []) {
    if (claim?.claimName !== undefined) claims.push(`${pod.metadata.namespace ?? ''}/${claim.claimName}`);
  }
  return claims;
}

export function isDetached({ claims, unclaimed, unknownOnNode, unknownAttachments }: AttachedVolumes): boolean {
  return claims.length + unclaimed.length + unknownOnNode.length + unknownAttachments.length === 0;
}

const namesMax = 5;

export function volumesMessage(attached: AttachedVolumes, startedAt: string): string {
  const lines: readonly (readonly [text: string, names: readonly string[]])[] = [
    ['PersistentVolumeClaims', attached.claims],
    ['PersistentVolumes without a .spec.claimRef to a PersistentVolumeClaim', attached.unclaimed],
    ['Node with .status.volumesAttached entries not matching a PersistentVolume', attached.unknownOnNode],
    [
      'VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume',
      attached.unknownAttachments,
    ],
  ];
  const shown = lines.filter(([, names]) => names.length > 0).map(([text, names]) => `\n* ${text}: ${listed(names)}`);
  return `Waiting for Node volumes to be detached (started at ${startedAt})${shown.join('')}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - namesMax;
  return names.slice(0, namesMax).join(', ') + (more > 0 ? `, ... (${more} more)` : '');
}
