export type { LauncherFolders } from './launcher-folders.js';
export { LaunchError, prepareLaunch } from './prepare-launch.js';
export { pingLaunch, reachGuest } from './probe-launch.js';
export { type LaunchWorld, runLaunch } from './run-launch.js';
