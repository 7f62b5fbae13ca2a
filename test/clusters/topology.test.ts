import { lifeOfACluster, topologyHandles } from './life-of-a-cluster.js';
import { startEmbedded } from './management.js';

const gates = '--feature-gates=ClusterTopology=true';

lifeOfACluster('a cluster of a class on the embedded server', () => startEmbedded(gates), topologyHandles);
