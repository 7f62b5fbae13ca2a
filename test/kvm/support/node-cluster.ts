import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepareNodeFiles } from '@slipway/host';

// The files of two real nodes. Everything is in the image, so that nothing is downloaded.
const version = 'v1.36.3';
const token = 'abcdef.0123456789abcdef';
export const controlPlaneAddress = '172.30.0.251';

/** Returns the files of the image, by their path in it. */
export async function clusterFiles(peers: string, folder: string): Promise<Record<string, string>> {
  await prepareNodeFiles({ version, from: join(peers, 'bin'), folder });
  const prepared = join(folder, version);
  const all = (part: string, target: string): [string, string][] =>
    readdirSync(join(prepared, part)).map((name) => [`${target}/${name}`, join(prepared, part, name)]);
  return Object.fromEntries([
    ['/usr/bin/kubeadm', join(prepared, 'bin/kubeadm')],
    ['/usr/bin/kubelet', join(prepared, 'bin/kubelet')],
    ['/usr/bin/kubectl', join(peers, 'bin/kubectl')],
    ...all('cni', '/opt/cni/bin'),
    ...all('images', '/var/lib/node-images'),
  ]);
}

const podNetwork = JSON.stringify({
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'ptp',
      ipMasq: false,
      ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.0.0/24' }]], routes: [{ dst: '0.0.0.0/0' }] },
    },
  ],
});

const prepare = `
write_files:
-   path: /etc/cni/net.d/10-pods.conflist
    content: '${podNetwork}'
-   path: /run/cluster-api/placeholder
    content: "x"
runcmd:
  - 'for archive in /var/lib/node-images/*; do ctr -n k8s.io images import "$archive"; done'
  - 'pause=$(kubeadm config images list --kubernetes-version ${version} | grep pause); sed -i "s#sandbox_image = .*#sandbox_image = \\"$pause\\"#" /etc/containerd/config.toml; systemctl restart containerd'
`;

const header = '## template: jinja\n#cloud-config\n';
const node = "--node-name '{{ ds.meta_data.local_hostname }}'";
const ownAddress = '{{ ds.meta_data.local_ipv4 }}';
const kubeletAddress = `echo "KUBELET_EXTRA_ARGS=--node-ip=${ownAddress}" > /etc/default/kubelet`;

/** Bootstrap data of the first machine, which reports when both nodes are Ready. */
export const controlPlaneData = `${header}${prepare}  - '${kubeletAddress.replaceAll("'", "''")}'
  - "kubeadm init ${node} --kubernetes-version ${version} --token ${token} --apiserver-advertise-address ${ownAddress} --skip-phases=addon/coredns && touch /run/cluster-api/initialized"
  - 'export KUBECONFIG=/etc/kubernetes/admin.conf; until [ "$(kubectl get nodes --no-headers | grep -cw Ready)" -ge 2 ]; do sleep 5; done; echo success > /run/cluster-api/bootstrap-success.complete'
`;

export const workerData = `${header}${prepare}  - '${kubeletAddress}'
  - "until kubeadm join ${controlPlaneAddress}:6443 ${node} --token ${token} --discovery-token-unsafe-skip-ca-verification; do sleep 10; done; echo success > /run/cluster-api/bootstrap-success.complete"
`;
