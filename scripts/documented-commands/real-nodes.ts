/** Commands of docs/tasks/real-local-cluster.md, which test/host runs on real nodes, and commands that need a real kubelet. */
export const realNodes = {
  prepare: 'slipway image prepare --kubernetes-version v1.36.3 --from .peers/bin',
  up: 'slipway up',
  kubeconfig: 'export KUBECONFIG=~/.local/share/slipway/admin.conf',
  create: 'kubectl apply -f docs/samples/real-local-cluster.yaml',
  addOns: 'kubectl apply -f docs/samples/real-local-cluster-add-ons.yaml',
  available: 'kubectl wait --for=condition=Available --timeout=5m cluster/real',
  workloadKubeconfig: "kubectl get secret real-kubeconfig -o jsonpath='{.data.value}' | base64 -d > real.conf",
  nodes: 'kubectl --kubeconfig real.conf get nodes -o wide',
  storageClasses: 'kubectl --kubeconfig real.conf get storageclass',
  scaleWorkers: 'kubectl scale machinedeployment real-workers --replicas 2',
  machines: 'kubectl get hostmachines,machines',
  loadImage: 'slipway load image ./my-application.tar --cluster real',
  delete: 'kubectl delete cluster real',
  operatorLogs: 'slipway drivers logs',
  moreOperatorLogs: 'slipway drivers logs --tail 1000',
} as const;

/** Commands of docs/reference/in-memory-infrastructure.md, which test/release runs for a cluster that a pod serves. */
export const podClusters = {
  kubeconfig: 'slipway get kubeconfig demo > demo.conf',
  forward: 'kubectl -n capd-system port-forward deployment/capd-controller-manager 20123',
  nodes: 'kubectl --kubeconfig demo.conf --server https://127.0.0.1:20123 get nodes',
} as const;

/** Commands of the same kind that the long tests of `npm run e2e:real` run. */
export const realNodesLong = {
  scaleControlPlane: 'kubectl scale kubeadmcontrolplane real --replicas 3',
  usage: 'kubectl --kubeconfig real.conf top nodes',
} as const;
