import { runScenario } from './run-scenario.js';
import { everyday } from '../../scripts/documented-commands/scenarios/everyday.js';

runScenario(everyday);
