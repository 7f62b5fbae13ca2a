import { runScenario } from './run-scenario.js';
import { drivers } from '../../scripts/documented-commands/scenarios/drivers.js';

runScenario(drivers);
