import { runScene } from './run-scene.js';
import { backup } from '../../scripts/documented-commands/scenes/backup.js';

runScene(backup);
