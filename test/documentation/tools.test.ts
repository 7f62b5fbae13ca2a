import { runScenario } from './run-scenario.js';
import { tools } from '../../scripts/documented-commands/scenarios/tools.js';

runScenario(tools);
