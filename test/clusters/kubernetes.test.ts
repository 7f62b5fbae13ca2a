import { lifeOfACluster, plainHandles } from './life-of-a-cluster.js';
import { startOnKubernetes } from './management.js';

lifeOfACluster('a cluster on kube-apiserver and etcd', () => startOnKubernetes(), plainHandles);
