import { runScene } from './run-scene.js';
import { everyday } from '../../scripts/documented-commands/scenes/everyday.js';

runScene(everyday);
