import { runScene } from './run-scene.js';
import { drivers } from '../../scripts/documented-commands/scenes/drivers.js';

runScene(drivers);
