export { accountSecret, answeredObjects, type ConnectionAnswers, type DriverAnswers } from './answers.js';
export { objectNameOf } from './names-of-servers.js';
export { preflight } from './preflight.js';
export { isHealthy, readStatus, type StatusReport, statusText } from './status-report.js';
export { waitForDrivers, waitForOperator } from './wait-for-drivers.js';
export { checkSecret, writeObjects } from './write-objects.js';
