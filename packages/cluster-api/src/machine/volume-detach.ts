import type { Frozen } from '@slipway/kube';
import type { Node, PersistentVolume, VolumeAttachment } from '@slipway/runtime';
import type { ObservedPod } from './drain/index.js';

/** What is still attached to a Node, as far as anybody waits for it. Each list sorted. */
export interface AttachedVolumes {
  readonly claims: readonly string[];
  /** Volumes that no claim uses. */
  readonly unclaimed: readonly string[];
  /** Names that the Node tells and no volume has. */
  readonly unknownOnNode: readonly string[];
  /** Names that attachments tell and no volume has. */
  readonly unknownAttachments: readonly string[];
}

export interface VolumesInput {
  readonly node: Frozen<Node>;
  /** Those of the Node; undefined when they are not to be considered. */
  readonly attachments: readonly Frozen<VolumeAttachment>[];
  readonly volumes: readonly Frozen<PersistentVolume>[];
  /** Pods that the drain leaves: what they use stays attached for as long as they run. */
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

/** Attachments that name no volume carry it inside themselves: nothing tells when those are let go, so that they count. */
function volumesOfAttachments(attachments: VolumesInput['attachments']): string[] {
  return attachments
    .filter(({ status }) => status?.attached === true)
    .map(({ spec, metadata }) => spec.source.persistentVolumeName ?? metadata.name ?? '');
}

/** As the attach controller names volumes of a CSI driver in the status of Nodes. */
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
  const told = lines.filter(([, names]) => names.length > 0).map(([text, names]) => `\n* ${text}: ${listed(names)}`);
  return `Waiting for Node volumes to be detached (started at ${startedAt})${told.join('')}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - namesMax;
  return names.slice(0, namesMax).join(', ') + (more > 0 ? `, ... (${more} more)` : '');
}
