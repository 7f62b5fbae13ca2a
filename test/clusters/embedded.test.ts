import { lifeOfACluster, plainHandles } from './life-of-a-cluster.js';
import { startEmbedded } from './management.js';

lifeOfACluster('a cluster on the embedded server', () => startEmbedded(), plainHandles);
