import { runScenario } from './run-scenario.js';
import { security } from '../../scripts/documented-commands/scenarios/security.js';

runScenario(security);
