import { runScene } from './run-scene.js';
import { airGap } from '../../scripts/documented-commands/scenes/air-gap.js';

runScene(airGap);
