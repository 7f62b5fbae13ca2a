import { startOurServer } from '../support/server-under-test.js';
import { driverStories } from './driver-stories.js';

driverStories('on the embedded server', startOurServer);
