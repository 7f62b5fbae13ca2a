/** Field descriptions that several versions share. */
export const clusterConfigurationTexts = {
  extraVolumesV1Beta1: 'extraVolumes are additional hostPath volumes of the static Pod of the component.',
  hostPath: 'hostPath is the path on the host.',
  mountPath: 'mountPath is the path in the container.',
  extraVolumesV1Beta1Name: 'name is the name of the volume within the Pod.',
  pathType: 'pathType is the type of the hostPath volume, such as File or DirectoryOrCreate.',
  readOnly: 'readOnly mounts the volume read-only. Defaults to false.',
  etcdV1Beta1:
    'etcd configures etcd. At most one of local and external may be set; the choice cannot be changed on an existing control plane.',
  external: 'external configures an existing etcd cluster that is not managed by Cluster API.',
  caFile: 'caFile is the path on the machine of the CA certificate of etcd.',
  certFile: 'certFile is the path on the machine of the client certificate for etcd.',
  endpoints: 'endpoints are the client URLs of the etcd members.',
  keyFile: 'keyFile is the path on the machine of the client key for etcd.',
  local: 'local configures the etcd member that kubeadm runs on each control plane machine. This is the default.',
  dataDir: 'dataDir is the data directory of etcd. Defaults to /var/lib/etcd.',
  extraArgs: 'extraArgs are additional command-line flags of the component. They override flags that kubeadm sets.',
  localImageRepository:
    'imageRepository is the registry of the etcd image. Defaults to imageRepository of the cluster configuration.',
  localImageTag:
    'imageTag is the tag of the etcd image. Defaults to the tag that kubeadm selects for the Kubernetes version.',
  peerCertSANs: 'peerCertSANs are additional subject alternative names of the etcd peer certificate.',
  serverCertSANs: 'serverCertSANs are additional subject alternative names of the etcd server certificate.',
  clusterConfigurationV1Beta1:
    'clusterConfiguration is the configuration of kubeadm for the whole cluster. Used on the first control plane machine.',
  apiServer: 'apiServer configures kube-apiserver.',
  certSANs: 'certSANs are additional subject alternative names of the certificate of kube-apiserver.',
  timeoutForControlPlane:
    'timeoutForControlPlane is how long kubeadm waits for kube-apiserver to start, as a duration such as 4m.',
  apiVersion: 'apiVersion has no effect: the version follows from the Kubernetes version. Deprecated.',
  caCertificateValidityPeriodDays:
    'caCertificateValidityPeriodDays is the validity in days of the CA certificates that Cluster API generates. Defaults to 3650. It cannot be changed on an existing control plane.',
  certificateValidityPeriodDays:
    'certificateValidityPeriodDays is the validity in days of the certificates that kubeadm generates. Defaults to 365. Supported in Kubernetes 1.31 and later.',
  certificatesDir:
    'certificatesDir is the directory of the certificates on the machine. Defaults to /etc/kubernetes/pki. It cannot be changed on an existing control plane.',
  clusterName: 'clusterName is the name of the cluster. Defaults to the name of the Cluster.',
  controlPlaneEndpoint:
    'controlPlaneEndpoint is the address of the API server, as host:port. Defaults to spec.controlPlaneEndpoint of the Cluster. It cannot be changed on an existing control plane.',
  controllerManager: 'controllerManager configures kube-controller-manager.',
  dns: 'dns configures CoreDNS.',
  dnsImageRepository:
    'imageRepository is the registry of the CoreDNS image. Defaults to imageRepository of the cluster configuration.',
  dnsImageTag:
    'imageTag is the tag of the CoreDNS image. A change upgrades CoreDNS and migrates its configuration; downgrades are rejected.',
  encryptionAlgorithm:
    'encryptionAlgorithm is the algorithm of generated keys. Defaults to RSA-2048. Supported in Kubernetes 1.31 and later.',
  featureGates: 'featureGates are the feature gates of kubeadm, by name.',
  clusterConfigurationV1Beta1ImageRepository:
    'imageRepository is the registry of the images of the control plane. Defaults to registry.k8s.io.',
  kind: 'kind has no effect. Deprecated.',
  kubernetesVersion:
    'kubernetesVersion is the Kubernetes version of the control plane. Defaults to the version of the Machine.',
  networking: 'networking is the network configuration. Defaults to spec.clusterNetwork of the Cluster.',
  dnsDomain: 'dnsDomain is the domain name of Services. Defaults to cluster.local.',
  podSubnet: 'podSubnet are the address ranges of Pods, in CIDR notation, separated by commas.',
  serviceSubnet: 'serviceSubnet are the address ranges of Services, in CIDR notation, separated by commas.',
  scheduler: 'scheduler configures kube-scheduler.',
  extraArgsName: 'name is the name of the flag, without the leading dashes.',
  extraArgsValue: 'value is the value of the flag. It may be empty.',
};
