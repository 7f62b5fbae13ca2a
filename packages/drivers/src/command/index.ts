export { accountSecret, answeredObjects, type ConnectionAnswers, type DriverAnswers } from './answers.js';
export { objectNameOf } from './names-of-servers.js';
export { preflight, type PreflightCheck } from './preflight.js';
export { isHealthy, problemsOf, readStatus, type StatusReport, statusText } from './status-report.js';
export { waitForDrivers, waitForOperator, type WaitResult } from './wait-for-drivers.js';
export { checkSecret, writeObjects } from './write-objects.js';
