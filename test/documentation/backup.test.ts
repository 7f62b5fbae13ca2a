import { runScenario } from './run-scenario.js';
import { backup } from '../../scripts/documented-commands/scenarios/backup.js';

runScenario(backup);
