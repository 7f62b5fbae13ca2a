import { runScenario } from './run-scenario.js';
import { twoPlanes } from '../../scripts/documented-commands/scenarios/two-planes.js';

runScenario(twoPlanes);
