import { expect, it } from 'vitest';
import type { Node, PersistentVolume, Pod, VolumeAttachment } from '@slipway/runtime';
import { attachedVolumes, isDetached, volumesMessage } from './volume-detach.js';

const node = (...names: string[]): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n' },
  status: { volumesAttached: names.map((name) => ({ name, devicePath: '' })) },
});
const attachment = (volume: string | undefined, attached = true): VolumeAttachment => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name: `va-${volume ?? 'inline'}` },
  spec: { attacher: 'a', nodeName: 'n', source: volume === undefined ? {} : { persistentVolumeName: volume } },
  status: { attached },
});
const volume = (name: string, claim?: string): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    csi: { driver: 'd', volumeHandle: name },
    ...(claim && { claimRef: { kind: 'PersistentVolumeClaim', namespace: 'ns', name: claim } }),
  },
});
const podWith = (claimName: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ns' },
  spec: { containers: [], volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] },
});
const none = { claims: [], unclaimed: [], unknownOnNode: [], unknownAttachments: [] };

const rows = [
  {
    name: 'returns nothing if no volume is attached',
    given: { node: node(), attachments: [], volumes: [volume('v', 'c')] },
    then: none,
  },
  {
    name: 'matches a CSI volume of the Node status by driver and handle',
    given: { node: node('kubernetes.io/csi/d^v'), attachments: [], volumes: [volume('v', 'c')] },
    then: { ...none, claims: ['ns/c'] },
  },
  {
    name: 'counts a volume of both sources once',
    given: { node: node('kubernetes.io/csi/d^v'), attachments: [attachment('v')], volumes: [volume('v', 'c')] },
    then: { ...none, claims: ['ns/c'] },
  },
  {
    name: 'ignores an attachment that is not attached',
    given: { node: node(), attachments: [attachment('v', false)], volumes: [volume('v', 'c')] },
    then: none,
  },
  {
    name: 'ignores claims of pods that the drain skips',
    given: {
      node: node(),
      attachments: [attachment('v'), attachment('w')],
      volumes: [volume('v', 'kept'), volume('w', 'c')],
      skippedPods: [podWith('kept')],
    },
    then: { ...none, claims: ['ns/c'] },
  },
  {
    name: 'lists unmatched volumes by name',
    given: {
      node: node('kubernetes.io/nfs/x'),
      attachments: [attachment('gone'), attachment('bare'), attachment(undefined)],
      volumes: [volume('bare')],
    },
    then: {
      claims: [],
      unclaimed: ['bare'],
      unknownOnNode: ['kubernetes.io/nfs/x'],
      unknownAttachments: ['gone', 'va-inline'],
    },
  },
];
it.each(rows)('$name', ({ given, then }) => {
  const attached = attachedVolumes({ skippedPods: [], ...given });
  expect(attached).toEqual(then);
  expect(isDetached(attached)).toBe(then === none);
});

it('lists all attached volumes, at most five names of each', () => {
  const claims = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `ns/${name}`);
  const attached = { claims, unclaimed: ['pv'], unknownOnNode: ['x'], unknownAttachments: ['y'] };
  expect(volumesMessage(attached, '2026-01-01T00:00:00Z')).toBe(
    [
      'Waiting for Node volumes to be detached (started at 2026-01-01T00:00:00Z)',
      '* PersistentVolumeClaims: ns/a, ns/b, ns/c, ns/d, ns/e, ... (1 more)',
      '* PersistentVolumes without a .spec.claimRef to a PersistentVolumeClaim: pv',
      '* Node with .status.volumesAttached entries not matching a PersistentVolume: x',
      '* VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume: y',
    ].join('\n'),
  );
});
