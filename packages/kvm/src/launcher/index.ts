export { LaunchError, prepareLaunch } from './prepare-launch.js';
export { pingLaunch, reachGuest } from './probe-launch.js';
export { runLaunch } from './run-launch.js';
