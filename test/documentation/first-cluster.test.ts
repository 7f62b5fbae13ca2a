import { runScene } from './run-scene.js';
import { firstCluster } from '../../scripts/documented-commands/scenes/first-cluster.js';

runScene(firstCluster);
