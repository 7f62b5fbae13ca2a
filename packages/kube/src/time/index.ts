export { formatDuration, msToDuration, parseDuration } from './duration.js';
export { formatAge, humanDuration } from './human-duration.js';
export { formatMicroTime, formatTime, isTime, normalizeMicroTime, normalizeTime, parseTime } from './time.js';
