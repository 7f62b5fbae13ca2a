const image = 'slipway.local/pod-network:v1';

/** A web server that answers with the name of its Pod, behind a Service. */
export const webService = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - {name: web, image: '${image}', imagePullPolicy: Never, args: [serve], ports: [{name: http, containerPort: 8080}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
`;

const client = (name: string): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: default, labels: {app: ${name}}}
spec:
  terminationGracePeriodSeconds: 1
  containers: [{name: client, image: '${image}', imagePullPolicy: Never, args: [serve]}]
`;

export const webClients = `${client('friend')}---\n${client('stranger')}`;

const policy = (name: string, spec: string): string => `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ${name}, namespace: default}
spec: ${spec}
`;

export const policies = {
  denyAll: policy('deny-all', '{podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress]}'),
  allowFriend: policy(
    'allow-friend',
    '{podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress], ingress: [{from: [{podSelector: {matchLabels: {app: friend}}}], ports: [{port: http}]}]}',
  ),
  onlyDns: policy(
    'only-dns',
    '{podSelector: {matchLabels: {app: friend}}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {}, podSelector: {matchLabels: {k8s-app: kube-dns}}}], ports: [{port: 53, protocol: UDP}]}]}',
  ),
} as const;

export const storage = {
  claim: `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: default}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}
`,
  /** A Pod with the volume at /data. */
  pod: (name: string, command: string): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: default}
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: shell
      image: slipway.local/busybox:v1
      imagePullPolicy: Never
      command: [sh, -c, '${command}']
      volumeMounts: [{name: data, mountPath: /data}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
`,
} as const;
