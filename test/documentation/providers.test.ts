import { runScene } from './run-scene.js';
import { providers } from '../../scripts/documented-commands/scenes/providers.js';

runScene(providers);
