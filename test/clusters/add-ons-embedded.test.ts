import { addOns } from './add-ons.js';
import { startEmbedded } from './management.js';

addOns('on the embedded server', () => startEmbedded());
