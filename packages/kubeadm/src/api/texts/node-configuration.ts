/** Field descriptions that several versions share. */
export const nodeConfigurationTexts = {
  patchesV1Beta1: 'patches configures patches of the static Pods and of the kubelet configuration.',
  directory:
    'directory is the path on the machine of a directory with patch files, named target[suffix][+patchtype].extension. The files can be written with spec.files.',
  nodeRegistrationV1Beta1: 'nodeRegistration configures the Node and its kubelet.',
  criSocket: 'criSocket is the socket of the container runtime. Detected by kubeadm if it is not set.',
  ignorePreflightErrors:
    'ignorePreflightErrors are names of preflight checks of kubeadm whose errors are shown as warnings. all means all checks.',
  imagePullPolicy:
    'imagePullPolicy defines when kubeadm pulls images. One of Always, IfNotPresent, Never. Defaults to IfNotPresent.',
  imagePullSerial:
    'imagePullSerial pulls images one after the other instead of in parallel. Defaults to true. Supported in Kubernetes 1.31 and later.',
  kubeletExtraArgs:
    'kubeletExtraArgs are additional command-line flags of the kubelet. They override flags that kubeadm sets.',
  nodeRegistrationV1Beta1Name: 'name is the name of the Node. Defaults to the host name of the machine.',
  taints:
    'taints are the taints with which the Node registers. If not set, kubeadm sets the control plane taint on control plane Nodes; an empty list sets none.',
  taintsEffect:
    'effect is the effect of the taint on Pods that do not tolerate it. One of NoSchedule, PreferNoSchedule, NoExecute.',
  taintsKey: 'key is the key of the taint.',
  taintsTimeAdded: 'timeAdded is the time at which the taint was added.',
  taintsValue: 'value is the value of the taint.',
  localApiEndpointV1Beta1: 'localAPIEndpoint is the address of the API server on this control plane machine.',
  advertiseAddress:
    'advertiseAddress is the IP address that the API server advertises. Defaults to the address of the default network interface.',
  bindPort: 'bindPort is the port on which the API server listens. Defaults to 6443.',
  initConfigurationV1Beta1:
    'initConfiguration is the configuration of kubeadm init. Used on the first control plane machine only.',
  apiVersion: 'apiVersion has no effect: the version follows from the Kubernetes version. Deprecated.',
  bootstrapTokens: 'bootstrapTokens are bootstrap tokens to create with the cluster.',
  bootstrapTokensDescription: 'description is the purpose of the token, for human readers.',
  expires: 'expires is the time at which the token expires. Takes precedence over the time to live.',
  bootstrapTokensGroups:
    'groups are the groups of clients that authenticate with the token. Defaults to system:bootstrappers:kubeadm:default-node-token.',
  bootstrapTokensToken: 'token is the token, in the form abcdef.0123456789abcdef.',
  ttl: 'ttl is the time to live of the token, as a duration such as 24h. Defaults to 24h. 0s means that it does not expire.',
  usages: 'usages are the uses of the token. Defaults to signing and authentication.',
  kind: 'kind has no effect. Deprecated.',
  skipPhases: 'skipPhases are names of kubeadm phases to skip.',
  discoveryV1Beta1:
    'discovery defines how a joining machine finds the cluster and verifies it. If not set, a bootstrap token is created for each machine.',
  bootstrapToken: 'bootstrapToken configures discovery by bootstrap token. Cannot be combined with file.',
  apiServerEndpoint:
    'apiServerEndpoint is the address of the API server, as host:port. Defaults to spec.controlPlaneEndpoint of the Cluster.',
  caCertHashes:
    'caCertHashes are hashes of public keys of the cluster CA, as sha256:hex. Defaults to the hash of the CA of the Cluster.',
  bootstrapTokenToken:
    'token is the bootstrap token. If not set, one is created and kept valid until the machine has joined.',
  unsafeSkipCAVerification:
    'unsafeSkipCAVerification joins without verification of the cluster CA. Another machine could then impersonate the API server. Defaults to false.',
  file: 'file configures discovery by a kubeconfig file. Cannot be combined with bootstrapToken.',
  kubeConfig:
    'kubeConfig is the content of the file, to be written to kubeConfigPath. If not set, the file must exist.',
  kubeConfigCluster: 'cluster is the cluster entry of the kubeconfig. Defaults to the endpoint and CA of the Cluster.',
  certificateAuthorityData:
    'certificateAuthorityData is a PEM bundle of CA certificates, base64-encoded. Defaults to the CA of the Cluster.',
  insecureSkipTLSVerify:
    'insecureSkipTLSVerify skips the verification of the certificate of the API server. Defaults to false.',
  proxyURL: 'proxyURL is the URL of a proxy for requests to the API server.',
  server: 'server is the URL of the API server. Defaults to the endpoint of the Cluster.',
  tlsServerName:
    'tlsServerName is the name against which the certificate of the API server is verified. Defaults to the host of server.',
  kubeConfigUser: 'user is the user entry of the kubeconfig. One of authProvider and exec must be set.',
  exec: 'exec is a command that returns the credentials of the user.',
  execApiVersion:
    'apiVersion is the version of the credential plugin API. Defaults to client.authentication.k8s.io/v1.',
  args: 'args are the arguments of the command.',
  command: 'command is the command to run.',
  env: 'env are additional environment variables of the command.',
  envName: 'name is the name of the variable.',
  envValue: 'value is the value of the variable.',
  provideClusterInfo:
    'provideClusterInfo passes the cluster entry to the command in the variable KUBERNETES_EXEC_INFO. Defaults to false.',
  kubeConfigPath: 'kubeConfigPath is the path on the machine of the kubeconfig file.',
  discoveryV1Beta1Timeout: 'timeout is how long kubeadm tries to discover the cluster, as a duration such as 5m.',
  tlsBootstrapToken:
    'tlsBootstrapToken is the token for the TLS bootstrap of the kubelet. Defaults to the token of bootstrapToken.',
  joinConfigurationV1Beta1:
    'joinConfiguration is the configuration of kubeadm join. Used on all machines but the first control plane machine.',
  caCertPath:
    'caCertPath is the path on the machine of the cluster CA certificate. Defaults to /etc/kubernetes/pki/ca.crt.',
  joinConfigurationV1Beta1ControlPlane:
    'controlPlane configures the control plane instance of the machine. Absent on workers.',
  timeouts: 'timeouts are the timeouts of kubeadm.',
  controlPlaneComponentHealthCheckSeconds:
    'controlPlaneComponentHealthCheckSeconds is how long, in seconds, kubeadm waits for a control plane component to become healthy. Defaults to 240.',
  discoverySeconds:
    'discoverySeconds is how long, in seconds, kubeadm tries to discover and validate the cluster on join. Defaults to 300.',
  etcdAPICallSeconds: 'etcdAPICallSeconds is the timeout of calls to etcd in seconds. Defaults to 120.',
  kubeletHealthCheckSeconds:
    'kubeletHealthCheckSeconds is how long, in seconds, kubeadm waits for the kubelet to become healthy. Defaults to 240.',
  kubernetesAPICallSeconds:
    'kubernetesAPICallSeconds is the timeout of calls to the API server in seconds. Defaults to 60.',
  tlsBootstrapSeconds:
    'tlsBootstrapSeconds is how long, in seconds, kubeadm waits for the TLS bootstrap of the kubelet. Defaults to 300.',
  ttlSeconds:
    'ttlSeconds is the time to live of the token in seconds. Defaults to 24 hours. 0 means that it does not expire.',
};
