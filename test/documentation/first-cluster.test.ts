import { runScenario } from './run-scenario.js';
import { firstCluster } from '../../scripts/documented-commands/scenarios/first-cluster.js';

runScenario(firstCluster);
