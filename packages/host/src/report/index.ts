export { HostReport } from './host-report.js';
