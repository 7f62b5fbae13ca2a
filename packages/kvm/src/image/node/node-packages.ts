/** Packages of a node besides the kubelet: a bootable system, cloud-init and a container runtime. */
export const nodePackages: readonly string[] = [
  'systemd',
  'systemd-sysv',
  'systemd-resolved',
  'udev',
  'dbus',
  'kmod',
  // Not Debian's cloud kernel: it has no 9p, which host volumes require.
  'linux-image-amd64',
  'cloud-init',
  'qemu-guest-agent',
  'containerd',
  'runc',
  'iproute2',
  'iptables',
  'conntrack',
  'ethtool',
  'socat',
  'ca-certificates',
  'xfsprogs',
  'e2fsprogs',
  'open-iscsi',
];

const kubeletUnit = `[Unit]
Description=kubelet
After=network-online.target containerd.service
Wants=network-online.target
[Service]
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
Restart=always
StartLimitInterval=0
RestartSec=10
[Install]
WantedBy=multi-user.target
`;

const cloudConfig = `datasource_list: [NoCloud, None]
system_info:
  network:
    renderers: [networkd]
  ntp_client: systemd-timesyncd
ssh_deletekeys: false
ssh_genkeytypes: []
package_update: false
manage_etc_hosts: localhost
`;

/** Files of every node image, by path. */
export const nodeFiles: Readonly<Record<string, string>> = {
  '/etc/systemd/system/kubelet.service': kubeletUnit,
  '/etc/cloud/cloud.cfg.d/90-slipway.cfg': cloudConfig,
  '/etc/modules-load.d/kubernetes.conf': 'overlay\nbr_netfilter\n',
  '/etc/sysctl.d/90-kubernetes.conf':
    'net.ipv4.ip_forward = 1\nnet.bridge.bridge-nf-call-iptables = 1\nnet.bridge.bridge-nf-call-ip6tables = 1\n',
  '/etc/fstab': 'LABEL=slipway / ext4 defaults 0 1\n',
  // Empty, so that each machine generates its own ID on first boot.
  '/etc/machine-id': '',
};

/** Script that sets the container runtime to the systemd cgroup driver, which the kubelet also uses. */
export const finishScript = String.raw`set -eu
root=$1
mkdir -p "$root/etc/containerd"
chroot "$root" containerd config default | sed 's/SystemdCgroup = false/SystemdCgroup = true/' > "$root/etc/containerd/config.toml"
chroot "$root" systemctl enable systemd-networkd systemd-resolved containerd kubelet qemu-guest-agent > /dev/null 2>&1
ln -sf ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/*.log "$root"/var/log/apt "$root"/etc/hostname
rm -f "$root"/var/cache/ldconfig/aux-cache "$root"/etc/iscsi/initiatorname.iscsi
`;
