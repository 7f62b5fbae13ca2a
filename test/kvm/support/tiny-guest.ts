import { join } from 'node:path';
import { buildTinyImage, type KVMMachine, type TinyImage } from '@slipway/kvm';

const peers = join(import.meta.dirname, '../../../.peers');

/**
 * Returns the image of the tiny guest, built once and cached with the other peers. Its kernel boots fast and has no 9p support.
 */
export function tinyImage(): Promise<TinyImage> {
  return buildTinyImage({ directory: join(peers, 'tiny'), kernelPackage: 'linux-image-cloud-amd64' });
}

/** The directory of a guest whose kernel takes twice as long to boot and supports shared directories. */
export const wholeTinyFolder = join(peers, 'tiny-whole');

export function wholeTinyImage(): Promise<TinyImage> {
  return buildTinyImage({ directory: wholeTinyFolder });
}

/** Returns a machine that boots the tiny guest without hardware acceleration. */
export function tinyMachine(tiny: TinyImage, commandLine = ''): NonNullable<KVMMachine['spec']> {
  return {
    resources: { cpu: 1, memory: '256Mi', disk: '32Mi' },
    image: { url: tiny.disk },
    bootMode: 'kernel',
    kernel: {
      image: { url: tiny.kernel },
      initrd: { url: tiny.initrd },
      commandLine: `console=ttyS0 quiet panic=-1 ${commandLine}`,
    },
    accelerator: 'tcg',
    shutdown: { gracePeriodSeconds: 30 },
  };
}

/** Bootstrap data of a guest that serves its metadata on port 8080 and reports that its bootstrap is complete. */
export const bootstrapData = `## template: jinja
#cloud-config

write_files:
-   path: /www/index.html
    owner: root:root
    permissions: '0644'
    content: |
      I am {{ ds.meta_data.local_hostname }}, {{ ds.meta_data.provider_id }}
-   path: /run/cluster-api/placeholder
    content: "x"
runcmd:
  - 'httpd -p 8080 -h /www && echo success > /run/cluster-api/bootstrap-success.complete'
`;
