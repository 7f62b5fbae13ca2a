import { runScenario } from './run-scenario.js';
import { airGap } from '../../scripts/documented-commands/scenarios/air-gap.js';

runScenario(airGap);
