import { runScenario } from './run-scenario.js';
import { openShift } from '../../scripts/documented-commands/scenarios/openshift.js';

runScenario(openShift);
